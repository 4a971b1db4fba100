import { readFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"

/** A server with nothing but `node:http`, to compare with: one JSON answer, one compressed file, one event stream. */
const [assetFile, headerText = "{}"] = process.argv.slice(2)
/** Headers put on every answer besides its own. */
const headers: Record<string, string> = JSON.parse(headerText)
const asset = assetFile === undefined ? undefined : readFileSync(assetFile)
const version = JSON.stringify({ version: "0.1.0", name: "agent-console" })
const streams = new Set<ServerResponse>()

const server = createServer((request, response) => {
  switch (request.url) {
    case "/api/version":
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(version),
        ...headers
      })
      response.end(version)
      return
    case "/api/events":
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
      response.write("event: connected\ndata: {}\n\n")
      streams.add(response)
      response.on("close", () => streams.delete(response))
      return
    case "/api/events/test": {
      let body = ""
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on("end", () => {
        const { event, data } = JSON.parse(body)
        const message = `event: ${event}\ndata: ${JSON.stringify({ event, data, ts: performance.timeOrigin + performance.now() })}\n\n`
        for (const stream of streams) stream.write(message)
        response.end("{}")
      })
      return
    }
    default:
      response.writeHead(200, {
        "content-type": "text/javascript",
        "content-encoding": "br",
        "content-length": asset?.byteLength ?? 0,
        ...headers
      })
      response.end(asset)
  }
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) console.log(`port ${address.port}`)
})
