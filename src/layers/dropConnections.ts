import type { Server } from "node:http"
import type { Socket } from "node:net"
import { Effect } from "effect"

/** Time for last bytes, such as the close frame of a WebSocket, to leave before a connection is cut. */
const FLUSH_WITHIN = "100 millis"

/** Closes every connection of a server with the surrounding scope, also upgraded and streaming ones nobody else ends. */
export const dropConnections = Effect.fnUntraced(function* (server: Server) {
  const sockets = new Set<Socket>()
  function forget(this: Socket) {
    sockets.delete(this)
  }
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", forget)
  })
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      for (const socket of sockets) socket.destroySoon()
      if (sockets.size > 0) yield* Effect.sleep(FLUSH_WITHIN)
      for (const socket of sockets) socket.destroy()
    })
  )
})
