import { WebSocketServer } from "ws"

/**
 * Child process of the proxy benchmark: a WebSocket server with a gateway's handshake that echoes what it receives, or
 * or, when asked to, sends frames (`flood <count> <bytes>`), takes them (`sink <count>`), tells how many frames the next
 * message came in (`frames`) or closes (`close <code> <reason>`). Tells its port to its parent.
 */
const HELLO = { type: "hello-ok", protocol: 4, server: { version: "bench", connId: "bench" }, auth: { scopes: [] } }
/** How many bytes may be queued before it waits for them to be sent. */
const BACKLOG = 1_048_576

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false, skipUTF8Validation: true })

server.on("listening", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.(address.port)
})

/** Data frames in raw bytes of short masked frames. */
const dataFrames = (bytes: Buffer): number => {
  let frames = 0
  for (let at = 0; at + 1 < bytes.length; at += 6 + ((bytes[at + 1] ?? 0) & 0x7f)) {
    if (((bytes[at] ?? 0) & 0x0f) < 8) frames++
  }
  return frames
}

server.on("connection", (ws, upgrade) => {
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
    let expected = 0
    let raw: Array<Buffer> | undefined
    // Before the library, which has the message with its last bytes.
    upgrade.socket.prependListener("data", (chunk: Buffer) => raw?.push(chunk))
    ws.on("message", (data: Buffer, isBinary: boolean) => {
      if (expected > 0) {
        expected--
        if (expected === 0) ws.send("taken")
        return
      }
      if (raw !== undefined) {
        const frames = dataFrames(Buffer.concat(raw))
        raw = undefined
        ws.send(`${frames} ${isBinary ? "binary" : "text"}`)
        return
      }
      const [command, first, second] = data.length < 40 ? data.toString("utf8").split(" ") : []
      if (command === "flood") flood(Number(first), Number(second))
      else if (command === "sink") expected = Number(first)
      else if (command === "frames") {
        // The bytes of this message are over when this turn is.
        setImmediate(() => {
          raw = []
          ws.send("ready")
        })
      } else if (command === "close") {
        if (first === "1005") ws.close()
        else ws.close(Number(first), second)
      } else ws.send(data, { binary: isBinary })
    })
  })
})
