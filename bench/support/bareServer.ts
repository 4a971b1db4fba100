import { readFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"

/**
 * A server with nothing but `node:http` for comparison. It gives the answers of a JSON file by method and path
 * (`{ "GET /x": { status, headers, body } }`, the body in base64), and one event stream.
 */
interface Recorded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const file = process.argv[2]
const recorded: Readonly<Record<string, Recorded>> = file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"))
const answers = new Map(
  Object.entries(recorded).map(([request, { status, headers, body }]) => [
    request,
    { status, headers, body: Buffer.from(body, "base64") }
  ])
)
const streams = new Set<ServerResponse>()

const server = createServer((request, response) => {
  const { method, url } = request
  if (url === "/api/events") {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    response.write("event: connected\ndata: {}\n\n")
    streams.add(response)
    response.on("close", () => streams.delete(response))
    return
  }
  let body = ""
  const answer = () => {
    if (url === "/api/events/test") {
      const { event, data } = JSON.parse(body)
      const message = `event: ${event}\ndata: ${JSON.stringify({ event, data, ts: performance.timeOrigin + performance.now() })}\n\n`
      for (const stream of streams) stream.write(message)
      response.end("{}")
      return
    }
    // A change of any card is answered like that of the one recorded.
    const key = method === "PATCH" ? "PATCH" : `${method} ${url}`
    const known = answers.get(key)
    if (known === undefined) return response.writeHead(404).end()
    response.writeHead(known.status, known.headers)
    response.end(known.body)
  }
  if (method === "GET") return answer()
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString()
  })
  request.on("end", answer)
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) console.log(`port ${address.port}`)
})
