import type { Server } from "node:http"
import type { Socket } from "node:net"
import { Effect } from "effect"

/** Time for the last bytes, such as a WebSocket's close frame, to go out before a connection is cut. */
const FLUSH_WITHIN = "100 millis"

/** Closes all of a server's connections with the surrounding scope, including upgraded and streaming ones. */
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
