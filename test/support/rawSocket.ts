import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"
import { Deferred, Effect } from "effect"

/** A raw connection for malformed data. */
export interface RawSocket {
  readonly socket: Socket
  /** The data after the response's head. */
  readonly received: () => Buffer
  /** Waits until the connection is closed. */
  readonly gone: Effect.Effect<void>
}

/** Opens a WebSocket and leaves its bytes to the test. Nothing is answered, neither a ping nor a close frame. */
export const rawWebSocket = (port: number, path = "/ws", headers: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.callback<RawSocket>((resume) => {
      const gone = Deferred.makeUnsafe<void>()
      let head: string | undefined = ""
      const received: Array<Buffer> = []
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => undefined)
      socket.on("close", () => Deferred.doneUnsafe(gone, Effect.void))
      socket.on("data", (data: Buffer) => {
        if (head === undefined) return received.push(data)
        head += data.toString("latin1")
        const end = head.indexOf("\r\n\r\n")
        if (end < 0) return
        received.push(Buffer.from(head.slice(end + 4), "latin1"))
        head = undefined
        resume(Effect.succeed({ socket, received: () => Buffer.concat(received), gone: Deferred.await(gone) }))
      })
      const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n${more.join("")}\r\n`
      )
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )
