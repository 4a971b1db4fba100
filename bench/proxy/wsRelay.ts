import { setInterval } from "node:timers/promises"
import { type RawData, WebSocket, WebSocketServer } from "ws"

/**
 * Child process of the proxy benchmark: what a relay is that takes messages apart with `ws` and sends them on, with
 * back-pressure, pings and close codes, and nothing else. Tells its port to its parent.
 */
const [port] = process.argv.slice(2).map(Number)
const BACKLOG = 65_536
const PING_MS = 30_000
const OPTIONS = { perMessageDeflate: false, skipUTF8Validation: true } as const
/** Codes that may not be sent: there was no close frame, or none with a code. */
const UNSENDABLE = new Set([1004, 1005, 1006, 1015])

const pipe = (from: WebSocket, to: WebSocket) => {
  from.on("message", (data: RawData, isBinary: boolean) => {
    to.send(data, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount < BACKLOG) from.resume()
    })
    if (to.bufferedAmount >= BACKLOG) from.pause()
  })
  from.on("close", (code: number, reason: Buffer) => {
    if (code === 1006) to.terminate()
    else if (UNSENDABLE.has(code)) to.close()
    else to.close(code, reason)
  })
  from.on("error", () => from.terminate())
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, ...OPTIONS })

server.on("connection", (client) => {
  const upstream = new WebSocket(`ws://127.0.0.1:${port}`, OPTIONS)
  client.pause()
  upstream.once("open", () => client.resume())
  pipe(client, upstream)
  pipe(upstream, client)
})

server.on("listening", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.(address.port)
})

for await (const _ of setInterval(PING_MS)) for (const client of server.clients) client.ping()
