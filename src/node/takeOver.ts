import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

/** Prepares a new connection for relaying: no delay, no idle timeout, and errors only close it. */
export const tame = (socket: Socket): Socket => {
  socket.setNoDelay(true)
  socket.setTimeout(0)
  socket.on("error", () => socket.destroy())
  return socket
}

type Listeners = ReturnType<Duplex["listeners"]>

const ofConnection = new WeakMap<Duplex, { readonly close: Listeners; readonly error: Listeners }>()

/** Remembers a connection's own listeners, before an upgrade request adds its own. */
export const rememberListeners = (socket: Duplex): void => {
  ofConnection.set(socket, { close: socket.rawListeners("close"), error: socket.rawListeners("error") })
}

/** Removes the request's listeners: each keeps the whole request in memory and would act on one that's long finished. */
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
 * Takes an upgraded connection over from its request. As far as the server is concerned the request is then finished,
 * and nothing of it stays in memory while the connection lasts.
 */
export const takeOver = (response: ServerResponse, socket: Socket): Socket => {
  response.detachSocket(socket)
  response.end()
  forgetRequest(socket)
  return tame(socket)
}

/** Smaller chunks may share their memory with others. */
const OWN_BYTES = 32_768

/**
 * Frees a chunk that was just read from a connection and written to another, if the system has taken all of it: the next
 * read gets the same memory. Otherwise each 64 KB stay until a collection, and so much memory outside the heap makes V8
 * collect the whole of it, over and over.
 */
export const giveBack = (chunk: Buffer, writtenTo: Socket): void => {
  const { buffer } = chunk
  const isOwn = chunk.length >= OWN_BYTES && chunk.byteOffset === 0 && chunk.length === buffer.byteLength
  if (isOwn && buffer instanceof ArrayBuffer && writtenTo.writableLength === 0) buffer.transfer(0)
}
