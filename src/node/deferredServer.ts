import { EventEmitter } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { rememberListeners } from "./takeOver.ts"
import type { TargetGate } from "./targetGate.ts"

/** Answers a request, or passes it on to `pass` untouched; `isStarting` until the app can answer. */
export type EarlyListener = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => void,
  isStarting: boolean
) => void

/** The server the app listens on. */
const APP_EVENTS = new Set<string | symbol>(["request", "checkContinue", "upgrade"])

/** A server that's already listening. Requests go to the early listener first, and to the app once it's ready. */
export interface DeferredServer {
  /** The same server for building the app: its `listen` calls back at once. */
  readonly server: Server
  /** Hands over waiting requests, once the app is listening. */
  readonly open: () => void
}

/**
 * Sits between an open port and an app that's still starting: nothing is refused, requests and upgrades wait with their
 * bodies unread.
 */
export const makeDeferredServer = (server: Server, early: EarlyListener, gate: TargetGate): DeferredServer => {
  const app = new EventEmitter()
  let waiting: Array<() => void> = []

  const hand = (event: string, ...args: ReadonlyArray<unknown>) => {
    if (app.listenerCount(event) > 0) app.emit(event, ...args)
    else waiting.push(() => app.emit(event, ...args))
  }
  gate.watch(server)
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    gate.request(request, response, () =>
      early(request, response, () => hand("request", request, response), app.listenerCount("request") === 0)
    )
  )
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    gate.request(request, response, () => hand("checkContinue", request, response))
  )
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    rememberListeners(socket)
    // Nothing else is listening yet, and an unhandled error event ends the process.
    const ignore = () => {}
    socket.on("error", ignore)
    gate.upgrade(request, socket, () => hand("upgrade", request, socket, head))
  })

  const appSide = new Proxy(server, {
    get: (target, key) => {
      if (key === "listen") {
        return (_options: unknown, listening: () => void) => {
          listening()
          return target
        }
      }
      if (key === "on" || key === "off") {
        return (event: string | symbol, listener: (...args: Array<unknown>) => void) =>
          (APP_EVENTS.has(event) ? app : target)[key](event, listener)
      }
      const value: unknown = Reflect.get(target, key)
      return typeof value === "function" ? value.bind(target) : value
    }
  })
  return {
    server: appSide,
    open: () => {
      const held = waiting
      waiting = []
      for (const hand of held) hand()
    }
  }
}
