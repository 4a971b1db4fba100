import { Agent, get, type IncomingMessage, request } from "node:http"
import { request as secureRequest } from "node:https"
import { connect } from "node:net"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, FileSystem, Scope } from "effect"
import { listen } from "../support/listen.ts"
import { makeCertificate } from "../support/makeCertificate.ts"

/** Sends bytes on a socket and answers everything that came back until the other side closed. */
const exchangeBytes = (port: number, bytes: string) =>
  Effect.callback<string>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

const openStream = (port: number) =>
  Effect.callback<IncomingMessage>((resume) => {
    get({ port, host: "127.0.0.1", path: "/api/events", agent: false }, (response) => {
      response.once("data", () => resume(Effect.succeed(response)))
      response.on("error", () => {})
    })
  })

const closed = (response: IncomingMessage) =>
  Effect.callback<void>((resume) => {
    if (response.destroyed) resume(Effect.void)
    response.on("close", () => resume(Effect.void))
  })

const until = (done: Effect.Effect<boolean>) =>
  Effect.repeat(Effect.sleep("5 millis").pipe(Effect.andThen(done)), { until: (value) => value })

it.layer(NodeServices.layer, { excludeTestServices: true })((it) => {
  it.effect("answers over HTTP on the port it got, and allows the origin of that port", () =>
    Effect.gen(function* () {
      const server = yield* listen()
      assert.strictEqual(server.ports.https, undefined)
      const response = yield* Effect.promise(() =>
        fetch(`${server.base}/api/version`, { headers: { origin: server.base } })
      )
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("access-control-allow-origin"), server.base)
      yield* Effect.promise(() => response.text())
    })
  )

  it.effect("with a certificate HTTPS and HTTP serve the same services, and only HTTPS cookies are Secure", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const installDir = yield* fs.makeTempDirectoryScoped()
      yield* makeCertificate(installDir)
      const server = yield* listen({ installDir })
      const secure = (path: string, method = "GET") =>
        Effect.callback<IncomingMessage>((resume) => {
          const options = { port: server.ports.https, host: "127.0.0.1", rejectUnauthorized: false, agent: false }
          secureRequest({ ...options, path, method }, (response) => {
            response.resume()
            resume(Effect.succeed(response))
          }).end()
        })
      assert.strictEqual((yield* secure("/api/version")).statusCode, 200)
      const logout = yield* Effect.promise(() => fetch(`${server.base}/api/auth/logout`, { method: "POST" }))
      assert.match(logout.headers.get("set-cookie") ?? "", /^svc_session_/)
      assert.notMatch(logout.headers.get("set-cookie") ?? "", /Secure/)
      yield* Effect.promise(() => logout.text())
      assert.match(String((yield* secure("/api/auth/logout", "POST")).headers["set-cookie"]), /Secure/)
      for (let index = 0; index < 60; index++) {
        yield* Effect.promise(() => fetch(`${server.base}/api/server-info`).then((response) => response.text()))
      }
      assert.strictEqual((yield* secure("/api/server-info")).statusCode, 429)
    })
  )

  it.effect("a damaged certificate and a port in use each end the start with one clear sentence", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const installDir = yield* fs.makeTempDirectoryScoped()
      yield* makeCertificate(installDir)
      yield* fs.writeFileString(`${installDir}/certs/key.pem`, "not a key")
      const damaged = yield* Effect.flip(Effect.scoped(listen({ installDir })))
      assert.strictEqual(damaged._tag, "ListenError")
      assert.match(damaged.message, /certs\/cert\.pem and certs\/key\.pem can't be used/)
      const server = yield* listen()
      const taken = yield* Effect.flip(Effect.scoped(listen({ port: server.ports.http })))
      assert.match(taken.message, new RegExp(`^port ${server.ports.http} on 127.0.0.1 is already in use: .*PORT`))
      const foreign = yield* Effect.flip(Effect.scoped(listen({ host: "203.0.113.7" })))
      assert.match(foreign.message, /203\.0\.113\.7 isn't an address of this machine/)
    })
  )

  it.effect("stopping ends event streams and idle connections at once", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(listen(), scope)
      const agent = new Agent({ keepAlive: true })
      yield* Effect.callback<void>((resume) => {
        get({ port: server.ports.http, host: "127.0.0.1", path: "/api/version", agent }, (response) => {
          response.resume()
          response.on("end", () => resume(Effect.void))
        })
      })
      const silent = connect(server.ports.http, "127.0.0.1")
      const silentClosed = Effect.callback<void>((resume) => {
        silent.on("close", () => resume(Effect.void))
      })
      const stream = yield* openStream(server.ports.http)
      yield* Effect.all([Scope.close(scope, Exit.void), closed(stream), silentClosed], { concurrency: "unbounded" })
      agent.destroy()
      const refused = yield* Effect.flip(Effect.tryPromise(() => fetch(`${server.base}/health`)))
      assert.strictEqual(refused._tag, "UnknownError")
    })
  )

  it.effect("a client that leaves its event stream is forgotten", () =>
    Effect.gen(function* () {
      const server = yield* listen()
      const streams = yield* Effect.all(Array.from({ length: 5 }, () => openStream(server.ports.http)))
      assert.strictEqual(yield* server.streams.size, 5)
      for (const stream of streams) stream.destroy()
      yield* until(Effect.map(server.streams.size, (size) => size === 0))
    })
  )

  it.effect("a client that never reads is cut off and the others get everything", () =>
    Effect.gen(function* () {
      const server = yield* listen()
      const quick = yield* openStream(server.ports.http)
      let received = 0
      quick.on("data", (chunk: Buffer) => {
        received += chunk.length
      })
      const lazy = connect(server.ports.http, "127.0.0.1")
      lazy.on("error", () => {})
      lazy.pause()
      lazy.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      yield* until(Effect.map(server.streams.size, (size) => size === 2))
      const data = { text: "x".repeat(500_000) }
      let sent = 0
      yield* until(
        Effect.gen(function* () {
          yield* server.streams.send({ event: "big", data, ts: sent })
          sent++
          return (yield* server.streams.size) === 1
        })
      )
      yield* until(Effect.sync(() => received > sent * 500_000))
      lazy.destroy()
    })
  )

  it.effect("a body over the limit is 413 whether its length is declared or found while reading", () =>
    Effect.gen(function* () {
      const server = yield* listen({ authEnabled: true })
      const tooLarge = Buffer.alloc(80 * 1024, 32)
      const post = (headers: Record<string, string>) =>
        Effect.callback<{ readonly status: number | undefined; readonly body: string }>((resume) => {
          const options = { port: server.ports.http, host: "127.0.0.1", path: "/api/auth/login", agent: false }
          const sending = request({ ...options, method: "POST", headers }, (response) => {
            let body = ""
            response.on("data", (chunk) => {
              body += chunk
            })
            response.on("end", () => resume(Effect.succeed({ status: response.statusCode, body })))
          })
          sending.on("error", () => {})
          sending.end(tooLarge)
        })
      const refusal = { status: 413, body: '{"error":"Request body too large"}' }
      assert.deepStrictEqual(yield* post({ "content-length": String(tooLarge.length) }), refusal)
      assert.deepStrictEqual(yield* post({ "transfer-encoding": "chunked" }), refusal)
    })
  )

  it.effect("bytes that are no HTTP are answered with the protection headers, a request without Host is refused", () =>
    Effect.gen(function* () {
      const server = yield* listen()
      const garbage = yield* exchangeBytes(server.ports.http, "GARBAGE\r\n\r\n")
      assert.match(garbage, /^HTTP\/1\.1 400 Bad Request\r\n/)
      const overflow = yield* exchangeBytes(server.ports.http, `GET / HTTP/1.1\r\nX: ${"y".repeat(40_000)}\r\n\r\n`)
      assert.match(overflow, /^HTTP\/1\.1 431 /)
      const hostless = yield* exchangeBytes(server.ports.http, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
      assert.match(hostless, /^HTTP\/1\.1 403 /)
      for (const answer of [garbage, overflow, hostless]) {
        for (const name of ["content-security-policy", "x-frame-options: DENY", "strict-transport-security"]) {
          assert.include(answer.toLowerCase(), name.toLowerCase())
        }
      }
    })
  )

  it.effect("bytes behind the last request of a connection get no second answer", () =>
    Effect.gen(function* () {
      const server = yield* listen()
      const last = `DELETE /api/kanban/tasks/x HTTP/1.1\r\nHost: 127.0.0.1:${server.ports.http}\r\nConnection: close\r\n\r\n`
      const answered = yield* exchangeBytes(server.ports.http, `${last}{"no":"length"}`)
      assert.lengthOf(answered.match(/HTTP\/1\.1 /g) ?? [], 1, answered)
      assert.match(answered, /^HTTP\/1\.1 404 /)
    })
  )

  it.effect("large JSON answers are compressed as the client accepts it", () =>
    Effect.gen(function* () {
      const server = yield* listen()
      for (const [accepted, coding] of [
        ["br", "br"],
        ["gzip", "gzip"],
        ["identity", null]
      ] as const) {
        const response = yield* Effect.promise(() =>
          fetch(`${server.base}/api/openapi.json`, { headers: { "accept-encoding": accepted } })
        )
        assert.strictEqual(response.headers.get("content-encoding"), coding)
        assert.include(yield* Effect.promise(() => response.text()), '"openapi":"3.1.0"')
      }
    })
  )
})
