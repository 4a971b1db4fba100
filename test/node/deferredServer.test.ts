import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { EarlyListener } from "../../src/node/deferredServer.ts"
import { makeDeferredServer } from "../../src/node/deferredServer.ts"
import { makeTargetGate } from "../../src/node/targetGate.ts"
import { readTarget } from "../../src/services/access/trust/originRules.ts"

const gate = makeTargetGate({
  readTarget: (target, host) => readTarget(target, host, (name) => name === "a"),
  basePath: "",
  protections: { "x-test": "kept" }
})

const front: EarlyListener = (request, response, pass) => {
  if (request.url === "/early") response.end("at once")
  else pass()
}

const portOf = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** Everything that comes back on a connection that sends these bytes, until the other side closes it. */
const exchange = (port: number, bytes: string) =>
  Effect.callback<string>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1")
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

const echo = (request: IncomingMessage, response: ServerResponse) => {
  let body = ""
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString()
  })
  request.on("end", () => response.end(`${request.method} ${request.url} ${body}`))
}

it.live("the front answers before the app is there; everything else waits for it, bodies and upgrades included", () =>
  Effect.gen(function* () {
    const server = createServer()
    const seen: Array<string> = []
    server.on("request", ({ url }) => seen.push(String(url)))
    server.on("upgrade", ({ url }) => seen.push(String(url)))
    server.on("checkContinue", ({ url }) => seen.push(String(url)))
    const door = makeDeferredServer(server, front, gate)
    const port = yield* portOf(server)

    assert.match(yield* exchange(port, "GET /early HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), /at once$/)

    const late = yield* Effect.forkChild(
      Effect.all(
        [
          exchange(port, "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"),
          exchange(port, "GET /up HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
          exchange(
            port,
            "POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\nok"
          )
        ],
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => seen.length === 4 })

    door.server.on("request", echo)
    door.server.on("checkContinue", (request, response) => {
      response.writeContinue()
      echo(request, response)
    })
    door.server.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\nupgraded"))
    yield* Effect.callback<void>((resume) => {
      door.server.listen(0, () => resume(Effect.void))
    })
    door.open()

    const [posted, upgraded, continued] = yield* Fiber.join(late)
    assert.match(posted, /POST \/a body/)
    assert.match(upgraded, /upgraded$/)
    assert.match(continued, /^HTTP\/1.1 100 Continue[\s\S]*POST \/c ok/)
    assert.match(yield* exchange(port, "GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), /GET \/b /)
  }).pipe(Effect.scoped)
)

it.live("what isn't a path is answered before anybody else sees it, whatever the request wants besides", () =>
  Effect.gen(function* () {
    const server = createServer()
    const seen: Array<string> = []
    const early: EarlyListener = ({ url }) => seen.push(String(url))
    const door = makeDeferredServer(server, early, gate)
    for (const event of ["request", "checkContinue", "upgrade"]) {
      door.server.on(event, ({ url }: IncomingMessage) => seen.push(`${event} ${url}`))
    }
    const port = yield* portOf(server)

    const wishes = [
      "",
      "Expect: 100-continue\r\nContent-Length: 2\r\n",
      "Expect: something\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    ]
    for (const target of ["*api/x", "*", "http://%/api/x", "http://b/api/x", "ws://a/ws"]) {
      for (const wish of wishes) {
        const answer = yield* exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n${wish}\r\n`)
        assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n/, `${target} ${wish}`)
        assert.match(answer, /x-test: kept/)
        assert.match(answer, /must be a path/)
      }
    }
    assert.match(yield* exchange(port, "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"), /^HTTP\/1.1 400 /)
    assert.match(yield* exchange(port, "GET /x HTTP/1.1\r\nHost: a\r\nExpect: luck\r\n\r\n"), /^HTTP\/1.1 417 /)
    assert.deepStrictEqual(seen, [])
  }).pipe(Effect.scoped)
)

it.live("a whole address of this console is handed on as its path", () =>
  Effect.gen(function* () {
    const server = createServer()
    makeDeferredServer(server, ({ url, headers }, response) => response.end(`${headers.host} ${url}`), gate)
    const port = yield* portOf(server)
    const answer = yield* exchange(port, "GET http://a/b?c HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n")
    assert.match(answer, /a \/b\?c$/)
    const options = yield* exchange(port, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert.match(options, /a \*$/)
  }).pipe(Effect.scoped)
)
