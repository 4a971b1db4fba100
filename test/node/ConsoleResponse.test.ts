import { createServer, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type HeaderRecord, standingHeaders } from "../../src/node/answerHead.ts"
import { ConsoleResponse } from "../../src/node/ConsoleResponse.ts"
import { missingHeaders } from "../../src/node/missingHeaders.ts"

const STANDING = standingHeaders({ "x-frame-options": "DENY", "cache-control": "no-store" })
const MORE: ReadonlyArray<HeaderRecord> = [{ vary: "Origin" }, { "x-ratelimit-limit": "60" }]

interface Case {
  readonly what: string
  readonly request?: string
  readonly status?: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string
}

const plain = { "content-type": "application/json", "content-length": "2" }
const GET = "GET / HTTP/1.1\r\nHost: x\r\n"
const CASES: ReadonlyArray<Case> = [
  { what: "a small answer", headers: plain, body: "{}" },
  { what: "another status", status: 404, headers: plain, body: "{}" },
  { what: "text outside of ASCII", headers: { "content-length": "6" }, body: "äöü" },
  { what: "an answer with its own caching", headers: { ...plain, "cache-control": "private" }, body: "{}" },
  { what: "an answer that varies", headers: { ...plain, vary: "Accept-Encoding" }, body: "{}" },
  { what: "cookies", headers: { ...plain, "set-cookie": ["a=1", "b=2"] }, body: "{}" },
  { what: "no body", status: 204, headers: {} },
  { what: "what hasn't changed", status: 304, headers: { etag: '"1"' } },
  { what: "an answer of unknown length", headers: { "content-type": "text/plain" }, body: "some" },
  { what: "HEAD", request: "HEAD / HTTP/1.1\r\nHost: x\r\n", headers: plain },
  { what: "an old client", request: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n", headers: plain, body: "{}" },
  { what: "a client's last request", request: `${GET}Connection: close\r\n`, headers: plain, body: "{}" },
  { what: "an answer that ends its connection", headers: { ...plain, connection: "close" }, body: "{}" }
]

const closeAfter = (response: ServerResponse) => {
  const { socket } = response
  response.on("finish", () => socket?.end())
}

/** Everything that comes back for these bytes until the other side closes. */
const received = (bytes: string, answer: (response: ServerResponse) => void, Response?: typeof ConsoleResponse) =>
  Effect.callback<string>((resume) => {
    const server = createServer(Response === undefined ? {} : { ServerResponse: Response }, (_, response) =>
      answer(response)
    )
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
      let text = ""
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1")
      })
      socket.on("close", () => {
        server.close()
        resume(Effect.succeed(text))
      })
    })
  })

const withoutDate = (text: string): string => text.replace(/Date: [^\r]*\r\n/g, "")

/** Head lines in any order, then the rest as it is. */
const parts = (text: string) => {
  const [head = "", ...rest] = withoutDate(text).split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  return { first, lines: lines.sort(), rest: rest.join("\r\n\r\n") }
}

it.live.each(CASES)("$what is answered as Node would answer it with the same headers", (one) =>
  Effect.gen(function* () {
    const { headers, body, request = GET, status = 200 } = one
    const all = { ...headers, ...missingHeaders(headers, [STANDING.record, ...MORE]) }
    const finish = (response: ServerResponse) => {
      closeAfter(response)
      response.strictContentLength = true
      if (body === undefined) response.end()
      else response.end(body)
    }
    const expected = yield* received(`${request}\r\n`, (response) => {
      Reflect.apply(response.writeHead, response, [status, all])
      finish(response)
    })
    const found = yield* received(
      `${request}\r\n`,
      (response) => {
        if (response instanceof ConsoleResponse) response.stand(STANDING, MORE)
        Reflect.apply(response.writeHead, response, [status, undefined, headers])
        finish(response)
      },
      ConsoleResponse
    )
    assert.include(expected, `HTTP/1.1 ${status} `)
    assert.deepStrictEqual(parts(found), parts(expected))
  })
)

it.live("a body of another length than declared is refused, as Node does, and nothing of it is sent", () =>
  Effect.gen(function* () {
    const found = yield* received(
      `${GET}\r\n`,
      (response) => {
        if (response instanceof ConsoleResponse) response.stand(STANDING, MORE)
        response.strictContentLength = true
        response.writeHead(200, { "content-length": "5" })
        assert.throws(() => response.end("{}"), /[Cc]ontent-[Ll]ength/)
        response.destroy()
      },
      ConsoleResponse
    )
    assert.strictEqual(found, "")
  })
)

it.live("a header that would end the head is refused", () =>
  Effect.gen(function* () {
    assert.throws(() => standingHeaders({ "x-name": "a\r\nb: c" }))
    const found = yield* received(
      `${GET}\r\n`,
      (response) => {
        if (response instanceof ConsoleResponse) response.stand(STANDING, MORE)
        assert.throws(() => response.writeHead(200, { "content-length": "2", "x-name": "a\r\nb: c" }))
        assert.throws(() => response.writeHead(200, { "content-length": "2", "x\n": "a" }))
        closeAfter(response)
        response.writeHead(500, { "content-length": "0" })
        response.end()
      },
      ConsoleResponse
    )
    assert.match(found, /^HTTP\/1\.1 500 /)
  })
)
