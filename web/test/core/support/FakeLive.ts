import { type Fields, fieldsOf, numberOf, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import type { Socket, SocketHandlers } from "../../../src/core/link/Environment.ts"

/** One connection of a page to the console, seen from the console. */
export class FakeLiveSocket {
  readonly frames: Array<Fields> = []
  closedBy: number | null = null
  /** The channels that are open, by their topics. */
  readonly channels = new Map<number, string>()
  private readonly handlers: SocketHandlers

  constructor(handlers: SocketHandlers) {
    this.handlers = handlers
  }

  opened(): void {
    this.handlers.onOpen?.()
  }

  deliver(frame: object): void {
    this.handlers.onMessage(JSON.stringify(frame))
  }

  drop(code = 1006): void {
    this.closedBy = code
    this.handlers.onClose(code, "", true)
  }

  last(t: string): Fields {
    const found = this.frames.findLast((frame) => frame.t === t)
    if (found === undefined) throw new Error(`no ${t} was sent`)
    return found
  }
}

/** The console's side of `/api/live`: it welcomes every page once a test says that it's there. */
export class FakeLive {
  readonly sockets: Array<FakeLiveSocket> = []
  /** Whether it answers; before that, connections neither open nor fail. */
  isThere = false
  build = ""
  gateways: Array<object> = []
  /** The topics whose states it sends by itself. */
  readonly topics = new Set(["events", "gateways"])

  open(handlers: SocketHandlers): Socket {
    const socket = new FakeLiveSocket(handlers)
    this.sockets.push(socket)
    if (this.isThere) queueMicrotask(() => socket.opened())
    return {
      send: (text) => this.receive(socket, fieldsOf(parseJson(text))),
      close: (code) => {
        socket.closedBy = code ?? 1005
      }
    }
  }

  get socket(): FakeLiveSocket {
    const socket = this.sockets.at(-1)
    if (socket === undefined) throw new Error("nothing connected")
    return socket
  }

  /** Sends an event to every page that wants events. */
  tell(event: string, data: unknown): void {
    for (const socket of this.sockets) {
      if (socket.closedBy !== null || ![...socket.channels.values()].includes("events")) continue
      socket.deliver({ t: "event", event, data, ts: Date.now() })
    }
  }

  private receive(socket: FakeLiveSocket, frame: Fields): void {
    socket.frames.push(frame)
    const channel = numberOf(frame.c) ?? 0
    if (frame.t === "hello") {
      const limits = { channels: 32 }
      socket.deliver({ t: "welcome", v: 1, build: this.build, boot: "b", now: 0, me: { rights: [] }, limits })
    } else if (frame.t === "open") {
      const topic = textOf(frame.topic) ?? ""
      socket.channels.set(channel, topic)
      if (!this.topics.has(topic)) return
      const state = topic === "events" ? { states: [] } : { items: this.gateways }
      socket.deliver({ t: "snapshot", c: channel, e: "e", s: 1, state })
    } else if (frame.t === "close") socket.channels.delete(channel)
  }
}
