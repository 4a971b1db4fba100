import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { tame } from "./sockets.ts"

type Listeners = ReturnType<Duplex["listeners"]>

const ofConnection = new WeakMap<Duplex, { readonly close: Listeners; readonly error: Listeners }>()

/** Remembers who listens to a connection itself, before a request that asks for an upgrade does. */
export const rememberListeners = (socket: Duplex): void => {
  ofConnection.set(socket, { close: socket.rawListeners("close"), error: socket.rawListeners("error") })
}

/** Takes away the listeners of the request: each holds all of it, and would end what is long over. */
const forgetRequest = (socket: Socket): void => {
  const kept = ofConnection.get(socket)
  if (kept === undefined) return
  for (const event of ["close", "error"] as const) {
    for (const listener of socket.rawListeners(event)) {
      if (!kept[event].includes(listener)) Reflect.apply(socket.off, socket, [event, listener])
    }
  }
}

/**
 * Takes an upgraded connection from the request that brought it. The request is over then, its answer has been given as
 * far as the server is concerned, and nothing of it stays in memory for as long as the connection lasts.
 */
export const takeOver = (response: ServerResponse, socket: Socket): Socket => {
  response.detachSocket(socket)
  response.end()
  forgetRequest(socket)
  return tame(socket)
}
