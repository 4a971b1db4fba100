import { fieldsOf, numberOf, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import { signConnectParams } from "../../../../src/services/gateway/device/connectSignature.ts"
import { generateDeviceKey } from "../../../../src/services/gateway/device/deviceKey.ts"
import { createObservable, type Readable } from "../../../src/core/common/Observable.ts"
import { createChatStore } from "../../../src/core/conversation/ChatStore.ts"
import type { ChatStore } from "../../../src/core/conversation/chatTypes.ts"
import type { Environment } from "../../../src/core/link/Environment.ts"
import { GatewayCallError } from "../../../src/core/link/GatewayCallError.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import { createOutbox } from "../../../src/core/outbox/createOutbox.ts"
import { createSessionsStore } from "../../../src/core/sessions/SessionsStore.ts"
import { ConsoleDouble } from "./ConsoleDouble.ts"
import { FakeGateway } from "./FakeGateway.ts"

/** A real socket to a real gateway; replaces the console's server, which signs `connect`. */
function signingEnvironment(wsUrl: string, token: string, opened: Array<WebSocket>): Environment {
  const key = generateDeviceKey()
  return {
    ...new FakeGateway().env,
    random: () => Math.random(),
    uuid: () => crypto.randomUUID(),
    openSocket: (_url, { onMessage, onClose }) => {
      const socket = new WebSocket(wsUrl)
      opened.push(socket)
      let challenge = { nonce: "", ts: 0 }
      socket.onmessage = ({ data }) => {
        const frame = fieldsOf(parseJson(String(data)))
        const payload = fieldsOf(frame.payload)
        if (frame.event === "connect.challenge")
          challenge = { nonce: textOf(payload.nonce) ?? "", ts: numberOf(payload.ts) ?? 0 }
        onMessage(String(data))
      }
      socket.onclose = ({ code, reason }) => onClose(code, reason)
      return {
        send: (text) => {
          const frame = JSON.parse(text)
          if (frame.method === "connect")
            frame.params = signConnectParams(frame.params, { challenge, token, device: { key, version: "v3" } })
          socket.send(JSON.stringify(frame))
        },
        close: (code, reason) => socket.close(code, reason)
      }
    }
  }
}

/** The core on one real link, with as many chats as a test opens. */
export class EmbeddedConsole {
  readonly env: Environment
  readonly link
  readonly sessions
  private readonly outbox
  readonly wsUrl: string
  readonly token: string
  private readonly chats: Array<ChatStore> = []
  private readonly sockets: Array<WebSocket> = []

  constructor(wsUrl: string, token: string) {
    this.wsUrl = wsUrl
    this.token = token
    this.env = signingEnvironment(wsUrl, token, this.sockets)
    this.link = createGatewayLink({ env: this.env, needsLogin: async () => false, clientVersion: "1" })
    const console = new ConsoleDouble({
      protocol: () => this.link.hello.get()?.protocol ?? null,
      call: (method, params) =>
        this.link.request(method, params).then(
          (payload) => ({ ok: true, payload }),
          (reason) =>
            reason instanceof GatewayCallError && reason.kind === "refused"
              ? { ok: false, error: { message: reason.message } }
              : null
        )
    })
    this.link.onEvent(({ event, payload }) => console.hear(event, fieldsOf(payload)))
    this.link.hello.subscribe((hello) => {
      if (hello !== null) console.linked()
    })
    this.outbox = createOutbox({ ...console, env: this.env, prepare: () => null, giveBack: () => {} })
    this.sessions = createSessionsStore(this.link, this.env, {
      waiting: createObservable<ReadonlySet<string>>(new Set())
    })
  }

  async connect(): Promise<void> {
    this.link.connect()
    await until(this.link.state, ({ phase }) => phase === "ready")
  }

  /** Breaks the link, and waits until it is up again. */
  async cut(): Promise<void> {
    this.sockets.at(-1)?.close()
    await until(this.link.state, ({ phase }) => phase === "waiting")
    this.link.retryNow()
    await until(this.link.state, ({ phase }) => phase === "ready")
  }

  open(sessionKey: string): ChatStore {
    const isWorking = async () => {
      await this.sessions.refresh()
      return this.sessions.find(sessionKey)?.running === true
    }
    const isCut = () => this.sessions.wasCutOff(sessionKey)
    const chat = createChatStore({ link: this.link, env: this.env, outbox: this.outbox, sessionKey, isWorking, isCut })
    this.chats.push(chat)
    return chat
  }

  dispose(): void {
    for (const chat of this.chats) chat.dispose()
    this.outbox.dispose()
    this.sessions.dispose()
    this.link.dispose()
  }
}

/** Waits for a state. */
export function until<A>(source: Readable<A>, predicate: (value: A) => boolean): Promise<A> {
  return new Promise((resolve) => {
    if (predicate(source.get())) return resolve(source.get())
    const stop = source.subscribe((value) => {
      if (!predicate(value)) return
      stop()
      resolve(value)
    })
  })
}
