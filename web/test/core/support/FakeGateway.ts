import { type Fields, fieldsOf, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import type { Environment, SocketHandlers } from "../../../src/core/link/Environment.ts"
import { LIVE_PATH } from "../../../src/core/link/socketAddress.ts"
import { FakeLive } from "./FakeLive.ts"
import { memoryKept } from "./memoryKept.ts"

export interface Request {
  readonly id: string
  readonly method: string
  readonly params: Fields
}

/** One connection of the page under test, seen from the gateway. */
export class FakeSocket {
  readonly requests: Array<Request> = []
  closedBy: number | null = null
  /** The page, or something between it and the gateway, has closed it. */
  isOver = false
  /** What the console asked for itself. */
  private readonly asked = new Map<string, (frame: Fields | null) => void>()
  private readonly handlers: SocketHandlers
  private readonly gateway: FakeGateway

  constructor(handlers: SocketHandlers, gateway: FakeGateway) {
    this.handlers = handlers
    this.gateway = gateway
  }

  receive(text: string): void {
    const frame = fieldsOf(parseJson(text))
    const request = { id: textOf(frame.id) ?? "", method: textOf(frame.method) ?? "", params: fieldsOf(frame.params) }
    this.requests.push(request)
    this.gateway.onRequest(this, request)
  }

  /** A request of the console itself; its answer, null if the connection ends before. */
  ask(method: string, params: Fields): Promise<Fields | null> {
    if (this.isOver) return Promise.resolve(null)
    const request = { id: `console-${this.requests.length}`, method, params }
    this.requests.push(request)
    return new Promise((resolve) => {
      this.asked.set(request.id, resolve)
      this.gateway.onRequest(this, request)
    })
  }

  deliver(frame: unknown): void {
    const fields = fieldsOf(frame)
    const asked = this.asked.get(textOf(fields.id) ?? "")
    if (asked !== undefined) {
      this.asked.delete(textOf(fields.id) ?? "")
      asked(fields)
      return
    }
    this.handlers.onMessage(typeof frame === "string" ? frame : JSON.stringify(frame))
  }

  event(event: string, payload: object, seq?: number): void {
    // The console has a connection of its own, which misses nothing.
    for (const listener of this.gateway.listeners) listener(event, fieldsOf(payload))
    this.deliver({ type: "event", event, payload, ...(seq === undefined ? {} : { seq }) })
  }

  challenge(): void {
    this.event("connect.challenge", { nonce: "n", ts: 1 })
  }

  answer(request: Request, payload: unknown): void {
    this.deliver({ type: "res", id: request.id, ok: true, payload })
  }

  refuse(request: Request, code: string, message: string, details: object = {}, more: object = {}): void {
    this.deliver({ type: "res", id: request.id, ok: false, error: { code, message, details, ...more } })
  }

  /** Ends the connection; a proxy that doesn't forward upgrades ends it before it has opened. */
  drop(code = 1006, reason = "", opened?: boolean): void {
    this.isOver = true
    for (const resolve of this.asked.values()) resolve(null)
    this.asked.clear()
    this.handlers.onClose(code, reason, opened)
  }

  last(method: string): Request {
    const found = this.requests.findLast((request) => request.method === method)
    if (found === undefined) throw new Error(`no ${method} was sent`)
    return found
  }
}

/** A gateway whose every answer a test decides; by default it lets everybody in and has one empty session. */
export class FakeGateway {
  readonly sockets: Array<FakeSocket> = []
  /** The console's own connection to the page. */
  readonly live = new FakeLive()
  readonly storage = memoryStorage()
  /** Subscribers to its events besides the page. */
  readonly listeners = new Set<(event: string, payload: Fields) => void>()
  /** Methods that are not answered by themselves. */
  readonly held = new Set<string>()
  protocol = 4
  methods: ReadonlyArray<string> = []
  autoConnect = true
  messages: Array<object> = []
  historyExtras: object = {}
  sessions: Array<object> = []
  answers: Record<string, (request: Request) => unknown> = {}
  tickIntervalMs = 30_000
  /** The uptime of its process in `hello`. */
  uptimeMs: number | undefined = undefined
  online = true
  private wake = new Set<() => void>()
  private offline = new Set<() => void>()
  private leave = new Set<() => void>()
  private shown = new Set<(isShown: boolean) => void>()
  private ids = 0

  readonly env: Environment = {
    now: () => Date.now(),
    random: () => 0,
    uuid: () => `id-${++this.ids}`,
    build: "",
    origin: "http://console.test",
    storage: this.storage,
    openKept: async () => memoryKept(),
    fetch: (url, init) => this.fetch(url, init),
    openSocket: (url, handlers) => {
      if (url.endsWith(LIVE_PATH)) return this.live.open(handlers)
      const socket = new FakeSocket(handlers, this)
      this.sockets.push(socket)
      if (this.autoConnect) queueMicrotask(() => socket.challenge())
      return {
        send: (text) => socket.receive(text),
        close: (code) => {
          socket.closedBy = code ?? 1005
        }
      }
    },
    openChannel: () => null,
    isOnline: () => this.online,
    onOffline: (listener) => {
      this.offline.add(listener)
      return () => this.offline.delete(listener)
    },
    onLeave: (listener) => {
      this.leave.add(listener)
      return () => this.leave.delete(listener)
    },
    onShown: (listener) => {
      this.shown.add(listener)
      return () => this.shown.delete(listener)
    },
    onWake: (listener) => {
      this.wake.add(listener)
      return () => this.wake.delete(listener)
    }
  }

  fetch: (url: string, init: RequestInit) => Promise<Response> = () =>
    Promise.resolve(new Response(JSON.stringify({ authEnabled: false, authenticated: true })))

  goOffline(): void {
    this.online = false
    for (const listener of this.offline) listener()
  }

  /** The page is closed, as far as the browser says so. */
  leavePage(): void {
    for (const listener of this.leave) listener()
  }

  /** The page comes into view, or is hidden. */
  show(isShown: boolean): void {
    for (const listener of this.shown) listener(isShown)
  }

  wakeUp(): void {
    for (const listener of this.wake) listener()
  }

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (socket === undefined) throw new Error("nothing connected")
    return socket
  }

  hello(socket: FakeSocket): void {
    socket.answer(socket.last("connect"), {
      type: "hello-ok",
      protocol: this.protocol,
      server: { version: "test" },
      features: { methods: this.methods },
      snapshot: { uptimeMs: this.uptimeMs, sessionDefaults: { mainSessionKey: "agent:main:main" } },
      policy: { maxPayload: 1_000_000, tickIntervalMs: this.tickIntervalMs }
    })
  }

  onRequest(socket: FakeSocket, request: Request): void {
    if (this.held.has(request.method)) return
    queueMicrotask(() => {
      if (request.method === "connect") this.hello(socket)
      else socket.answer(request, this.payload(request))
    })
  }

  payload(request: Request): unknown {
    const answer = this.answers[request.method]
    if (answer !== undefined) return answer(request)
    switch (request.method) {
      case "chat.history": {
        const end = this.messages.length - Number(request.params.offset ?? 0)
        const start = Math.max(0, end - Number(request.params.limit ?? 1_000))
        return {
          messages: this.messages.slice(start, Math.max(0, end)),
          ...(this.protocol >= 4 ? { hasMore: start > 0, sessionInfo: { hasActiveRun: false } } : {}),
          ...this.historyExtras
        }
      }
      case "sessions.get":
        return { messages: this.messages.slice(-Number(request.params.limit)) }
      case "sessions.list":
        return { ts: 1_000, sessions: this.sessions }
      case "chat.send":
        return { runId: request.params.idempotencyKey, status: "started" }
      case "chat.abort":
        return { ok: true, aborted: true, runIds: [] }
      default:
        return {}
    }
  }
}
