import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, PubSub, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type WebSocket, WebSocketServer } from "ws"
import { openWebSocket } from "../../../../src/services/gateway/client/gatewaySocket.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { floodingGateway } from "../../../support/flood.ts"
import { within, workedMs } from "../../../support/ownTime.ts"
import { helloOk, makeClient } from "../../../support/scriptedGateway.ts"

const ignore = { onText: () => undefined, onPing: () => undefined, onClose: () => undefined }

const portOf = (address: string | AddressInfo | null) =>
  address !== null && typeof address === "object" ? address.port : 0

/** A real WebSocket server on loopback that hands every connection to `onConnection`. */
const serveSockets = Effect.fnUntraced(function* (onConnection: (socket: WebSocket, headers: object) => void) {
  const server = yield* Effect.acquireRelease(
    Effect.callback<WebSocketServer>((resume) => {
      const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
      server.once("listening", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        for (const client of server.clients) client.terminate()
        server.close(() => resume(Effect.void))
      })
  )
  server.on("connection", (socket, request) => onConnection(socket, request.headers))
  return `ws://127.0.0.1:${portOf(server.address())}`
})

/** A gateway that lets everybody in and answers `health` with `{ name }`. */
const hospitable = (socket: WebSocket) => {
  const say = (frame: object) => socket.send(JSON.stringify(frame))
  say({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } })
  socket.on("message", (data) => {
    const request = JSON.parse(data.toString())
    say({ type: "res", id: request.id, ok: true, payload: request.method === "connect" ? helloOk() : { name: "real" } })
  })
}

const clientFor = (url: string) =>
  makeClient(openWebSocket, { gatewayUrl: url.replace("ws:", "http:"), gatewayToken: Redacted.make("t") })

describe("openWebSocket", () => {
  it.live("sends neither Origin nor forwarded headers", () =>
    Effect.gen(function* () {
      const seen = Deferred.makeUnsafe<object>()
      const url = yield* serveSockets((_, headers) => Deferred.doneUnsafe(seen, Effect.succeed(headers)))
      yield* openWebSocket(url, ignore)
      const names = Object.keys(yield* Deferred.await(seen))
      assert.deepStrictEqual(
        names.filter((name) => /^(origin|forwarded|x-.*|via|cookie)$/.test(name)),
        []
      )
    })
  )

  it.live("hands over texts, pings and the close code in order, and nothing binary", () =>
    Effect.gen(function* () {
      const closed = Deferred.makeUnsafe<number>()
      const heard: Array<string> = []
      const url = yield* serveSockets((socket) => {
        socket.send("one")
        socket.send(Buffer.from("binary"))
        socket.ping()
        socket.send("two")
        socket.close(1012, "service restart")
      })
      yield* openWebSocket(url, {
        onText: (text) => heard.push(text),
        onPing: () => heard.push("ping"),
        onClose: (code) => Deferred.doneUnsafe(closed, Effect.succeed(code))
      })
      assert.strictEqual(yield* Deferred.await(closed), 1012)
      assert.deepStrictEqual(heard, ["one", "ping", "two"])
    })
  )

  it.live("closing the scope ends the connection on the other side", () =>
    Effect.gen(function* () {
      const closed = Deferred.makeUnsafe<void>()
      const url = yield* serveSockets((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
      })
      yield* Effect.scoped(openWebSocket(url, ignore))
      yield* Deferred.await(closed)
    })
  )

  it.live("names a refused connection and an HTTP answer", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createHttpServer>>((resume) => {
          const server = createHttpServer((_, response) => response.writeHead(403).end("no"))
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) =>
          Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
            server.closeAllConnections()
          })
      )
      const url = `ws://127.0.0.1:${portOf(server.address())}`
      assert.deepStrictEqual(yield* Effect.flip(openWebSocket(url, ignore)), { status: 403 })
      const gone = yield* Effect.scoped(serveSockets(() => undefined))
      assert.deepStrictEqual(yield* Effect.flip(openWebSocket(gone, ignore)), { code: "ECONNREFUSED" })
    })
  )
})

describe("a gateway that sends what carries nothing", () => {
  const floods = {
    "empty fragments": { first: "0100", unit: "0000" },
    "fragments of a byte": { first: "010178", unit: "000178" },
    "many fragments for a short message": { unit: `0100${"0000".repeat(2000)}800178` },
    "empty messages": { unit: "8100" },
    "binary messages of a byte": { unit: "820178" },
    pings: { unit: "8900" },
    "the longest pings": { unit: `897d${"78".repeat(125)}` },
    pongs: { unit: "8a00" }
  }
  for (const [name, flood] of Object.entries(floods)) {
    it.live(`is left within 2 s, and nobody waits for it meanwhile: ${name}`, () =>
      Effect.gen(function* () {
        const gateway = yield* floodingGateway(flood)
        const closed = Deferred.makeUnsafe<void>()
        let longest = 0
        let last = workedMs()
        const timer = setInterval(() => {
          longest = Math.max(longest, workedMs() - last)
          last = workedMs()
        }, 5)
        yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(timer)))
        yield* openWebSocket(`ws://127.0.0.1:${gateway.port}`, {
          ...ignore,
          onClose: () => Deferred.doneUnsafe(closed, Effect.void)
        })
        yield* within(2000)(Effect.andThen(Deferred.await(closed), gateway.ended))
        assert.isBelow(longest, 1000)
      })
    )
  }

  it.live("may send some of it between thousands of messages", () =>
    Effect.gen(function* () {
      const heard = Deferred.makeUnsafe<void>()
      let count = 0
      const url = yield* serveSockets((socket) => {
        for (let n = 0; n < 5000; n++) {
          socket.send('{"type":"event"}')
          if (n % 10 === 0) socket.ping()
        }
      })
      yield* openWebSocket(url, {
        ...ignore,
        onText: () => {
          count += 1
          if (count === 5000) Deferred.doneUnsafe(heard, Effect.void)
        },
        onClose: () => Deferred.doneUnsafe(heard, Effect.die("closed"))
      })
      yield* Deferred.await(heard)
    })
  )
})

describe("the client over real sockets", () => {
  it.live("connects, calls, survives a flood and keeps answering in the middle of it", () =>
    Effect.gen(function* () {
      const frame = JSON.stringify({ type: "event", event: "agent", payload: { text: "x".repeat(1000) } })
      const url = yield* serveSockets((socket) => {
        hospitable(socket)
        socket.on("message", (data) => {
          if (!data.toString().includes('"flood"')) return
          for (let n = 0; n < 20_000; n++) socket.send(frame)
          socket.send(JSON.stringify({ type: "event", event: "flood.end", payload: {} }))
        })
      })
      const { client, statusEvents } = yield* clientFor(url)
      yield* PubSub.take(statusEvents)
      const Named = Schema.Struct({ name: Schema.String })
      const events = yield* client.events
      yield* client.request("flood", {}, Named)
      assert.deepStrictEqual(yield* client.request("health", {}, Named), { name: "real" })
      let read = 0
      while ((yield* PubSub.take(events)).event !== "flood.end") read += 1
      assert.isAtMost(read, 20_000)
      assert.strictEqual((yield* client.status).gateway, "ok")
    }).pipe(Effect.provide(EventBus.layer))
  )

  it.effect("gives up on a port that accepts and never speaks", () =>
    Effect.gen(function* () {
      const accepted = Deferred.makeUnsafe<void>()
      const sockets: Array<Socket> = []
      const mute = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((socket) => {
            sockets.push(socket)
            Deferred.doneUnsafe(accepted, Effect.void)
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) =>
          Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
            for (const socket of sockets) socket.destroy()
          })
      )
      const { client, statusEvents } = yield* clientFor(`ws://127.0.0.1:${portOf(mute.address())}`)
      yield* Deferred.await(accepted)
      yield* TestClock.adjust("10 seconds")
      yield* PubSub.take(statusEvents)
      assert.match((yield* client.status).reason ?? "", /Couldn't reach the gateway at \S+: check that it's running/)
    }).pipe(Effect.provide(EventBus.layer))
  )
})
