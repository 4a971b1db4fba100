import { WebSocketServer } from "ws"

/**
 * Child process of the proxy benchmark: a WebSocket server that shakes hands like a gateway, then echoes what it gets,
 * or sends `flood <count> <bytes>` frames when asked to. Tells its port to its parent.
 */
const HELLO = { type: "hello-ok", protocol: 4, server: { version: "bench", connId: "bench" }, auth: { scopes: [] } }
/** Bytes that may wait in this process before it stops to let them leave. */
const BACKLOG = 1_048_576

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false, skipUTF8Validation: true })

server.on("listening", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.(address.port)
})

server.on("connection", (ws) => {
  ws.on("error", () => ws.terminate())
  ws.send(JSON.stringify({ type: "event", event: "connect.challenge", payload: { nonce: "bench", ts: 0 } }))

  const flood = (count: number, bytes: number) => {
    const frame = Buffer.alloc(bytes, "x")
    let sent = 0
    const more = () => {
      while (sent < count && ws.bufferedAmount < BACKLOG) {
        sent++
        ws.send(frame, { binary: false }, sent % 16 === 0 ? more : undefined)
      }
    }
    more()
  }

  ws.once("message", (first: Buffer) => {
    const request: { readonly id: string } = JSON.parse(first.toString("utf8"))
    ws.send(JSON.stringify({ type: "res", id: request.id, ok: true, payload: HELLO }))
    ws.on("message", (data: Buffer, isBinary: boolean) => {
      const [command, count, bytes] = data.length < 40 ? data.toString("utf8").split(" ") : []
      if (command === "flood") flood(Number(count), Number(bytes))
      else ws.send(data, { binary: isBinary })
    })
  })
})
