import { vi } from "@effect/vitest"
import type { OutboxMode } from "../../../../src/contract/outbox.ts"
import type { WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { createChatStore } from "../../../src/core/conversation/ChatStore.ts"
import type { ChatItem, ChatStore, UserItem } from "../../../src/core/conversation/chatTypes.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import type { GatewayLink } from "../../../src/core/link/linkTypes.ts"
import { createOutbox, type Outbox } from "../../../src/core/outbox/createOutbox.ts"
import { ConsoleDouble } from "./ConsoleDouble.ts"
import { FakeGateway } from "./FakeGateway.ts"
import { memoryKept } from "./memoryKept.ts"
import { KEY, TurnFrames } from "./turnFrames.ts"

/** One chat on one link to a scripted gateway, on fake timers. */
export class ChatHarness {
  readonly gateway = new FakeGateway()
  readonly link: GatewayLink
  readonly console: ConsoleDouble
  /** What the browser keeps of messages that the console doesn't have yet. */
  readonly kept = new Map<string, WrittenMessage>()
  private outbox: Outbox
  chat: ChatStore
  working = false
  isCut = false

  constructor(protocol: number, prepare: (gateway: FakeGateway) => void = () => {}) {
    vi.useFakeTimers({ now: 1_000_000 })
    this.gateway.protocol = protocol
    prepare(this.gateway)
    this.link = createGatewayLink({ env: this.gateway.env, needsLogin: async () => false, clientVersion: "1" })
    this.console = new ConsoleDouble({
      protocol: () => (this.link.hello.get() === null ? null : this.gateway.protocol),
      call: (method, params) => this.gateway.socket.ask(method, params)
    })
    this.gateway.listeners.add((event, payload) => this.console.hear(event, payload))
    this.link.hello.subscribe((hello) => {
      if (hello !== null) this.console.linked()
    })
    this.outbox = this.openOutbox()
    this.chat = this.open()
  }

  private openOutbox(): Outbox {
    const { api, events } = this.console
    const env = { ...this.gateway.env, openKept: async () => memoryKept(this.kept) }
    return createOutbox({ api, events, env, prepare: () => null, giveBack: () => {} })
  }

  /** The page is closed, and another one opened in the same browser. */
  reopen(): void {
    this.chat.dispose()
    this.outbox.dispose()
    this.outbox = this.openOutbox()
    this.chat = this.open()
  }

  /** A chat of its own on the same link, as after a reload of the page. */
  open(sessionKey = KEY): ChatStore {
    return createChatStore({
      link: this.link,
      env: this.gateway.env,
      outbox: this.outbox,
      sessionKey,
      isWorking: async () => this.working,
      isCut: () => this.isCut
    })
  }

  async connect(): Promise<void> {
    this.link.connect()
    await this.settle()
  }

  /** Everything that is due now. */
  /** Lets what is under way happen; a part of the page that is loaded for it arrives at once. */
  settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(10)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(10)
  }
  pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

  turn(runId: string, at?: number): TurnFrames {
    return new TurnFrames(() => this.gateway.socket, runId, at)
  }

  async send(text: string, mode?: OutboxMode): Promise<string> {
    this.chat.send(text, [], mode)
    await this.settle()
    return String(this.gateway.socket.last("chat.send").params.idempotencyKey)
  }

  get items(): ReadonlyArray<ChatItem> {
    return this.chat.state.get().items
  }

  get users(): ReadonlyArray<UserItem> {
    return this.items.flatMap((item) => (item.kind === "user" ? [item] : []))
  }

  /** The conversation in short: one word and text per item. */
  get shown(): ReadonlyArray<string> {
    return this.items.map(shortOf)
  }

  dispose(): void {
    this.chat.dispose()
    this.outbox.dispose()
    this.link.dispose()
    vi.useRealTimers()
  }
}

export function shortOf(item: ChatItem): string {
  switch (item.kind) {
    case "user":
      return `user${item.delivery === "sent" ? "" : `(${item.delivery})`}: ${item.text}`
    case "assistant":
    case "thinking":
      return `${item.kind}${item.streaming ? "…" : ""}: ${item.text}`
    case "tool":
      return `tool ${item.name} ${item.status}: ${item.output}`
    case "error":
      return `error: ${item.message}`
    case "aborted":
      return "aborted"
    case "note":
      return `note ${item.from}: ${item.text}`
  }
}
