import { EventEmitter } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { FrontListener } from "../http/front/frontListener.ts"
import { rememberListeners } from "../http/proxy/takeOver.ts"

/** What the app, and nobody else, listens to. */
const APP_EVENTS = new Set<string | symbol>(["request", "checkContinue", "upgrade"])

/** A server that listens already, with what comes in handed to the front first and to the app once it is there. */
export interface Door {
  /** The same server for who builds the app: its `listen` calls back at once. */
  readonly server: Server
  /** Hands over what has waited. The app listens by then. */
  readonly open: () => void
}

/**
 * Stands between an open port and an app that still starts: nobody is refused meanwhile, requests and upgrades wait with
 * their bodies unread.
 */
export const makeDoor = (server: Server, front: FrontListener): Door => {
  const app = new EventEmitter()
  let waiting: Array<() => void> = []

  const hand = (event: string, ...args: ReadonlyArray<unknown>) => {
    if (app.listenerCount(event) > 0) app.emit(event, ...args)
    else waiting.push(() => app.emit(event, ...args))
  }
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    front(request, response, () => hand("request", request, response))
  )
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    hand("checkContinue", request, response)
  )
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    rememberListeners(socket)
    // Nobody else listens yet, and an error without a listener ends the process.
    const ignore = () => {}
    socket.on("error", ignore)
    hand("upgrade", request, socket, head)
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
