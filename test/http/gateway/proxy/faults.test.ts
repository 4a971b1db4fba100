import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, type Peer, wsUpstream } from "../../../support/sockets.ts"

/** Accepts connections and says nothing, until `answer` is called. */
const silentUpstream = Effect.fnUntraced(function* (answer = "") {
  const open = new Set<{ readonly destroy: () => void }>()
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((socket) => {
        open.add(socket)
        socket.on("error", () => undefined)
        socket.on("close", () => open.delete(socket))
        socket.resume()
        if (answer.length > 0) socket.end(answer)
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.callback<void>((resume) => {
        for (const socket of open) socket.destroy()
        made.close(() => resume(Effect.void))
      })
  )
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return { url: `ws://127.0.0.1:${port}`, open }
})

/** Sends the messages of a browser whose upstream does not answer, then says how the proxy took it. */
const pending = Effect.fnUntraced(function* (messages: ReadonlyArray<string | Buffer>) {
  const upstream = yield* silentUpstream()
  const { port } = yield* serveProxy()
  const client = yield* openProxy(port, { target: upstream.url })
  for (const message of messages) yield* client.send(message)
  return client
})

/** Lets the event loop, which both ends and the proxy share, look at its sockets once. */
const turn = Effect.promise(() => new Promise(setImmediate))

/** Everything sent has left for the proxy, and the event loop both share has had time to read it. */
const arrived = Effect.fnUntraced(function* (client: Peer) {
  for (let turns = 0; turns < 100 || client.ws.bufferedAmount > 0; turns++) {
    yield* turn
  }
})

const TOO_MANY = { code: 1008, reason: "Too many pending messages" }

describe("while the upstream opens (at most 100 messages, 1 MB)", () => {
  it.live("101 messages are too many", () =>
    Effect.gen(function* () {
      const client = yield* pending(Array.from({ length: 101 }, (_, n) => `${n}`))
      assert.deepStrictEqual(yield* client.closed, TOO_MANY)
    })
  )

  it.live("1 MB and 1 byte is too much, in one message or in two", () =>
    Effect.gen(function* () {
      const one = yield* pending([Buffer.alloc(1_048_577)])
      assert.deepStrictEqual(yield* one.closed, TOO_MANY)
      const two = yield* pending([Buffer.alloc(1_048_576), "x"])
      assert.deepStrictEqual(yield* two.closed, TOO_MANY)
    })
  )

  it.live("100 messages of 1 MB in all are kept, in order, and delivered", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy()
      let admit: (accepted: boolean) => void = () => undefined
      const asked = Promise.withResolvers<void>()
      const upstream = yield* wsUpstream({
        verifyClient: (_info: unknown, callback: (accepted: boolean) => void) => {
          admit = callback
          asked.resolve()
        }
      })
      const client = yield* openProxy(port, { target: upstream.url })
      yield* Effect.promise(() => asked.promise)
      const sizes = Array.from({ length: 100 }, (_, n) => (n === 99 ? 1_048_576 - 99 * 10_485 : 10_485))
      for (const [n, size] of sizes.entries()) yield* client.send(Buffer.alloc(size, n))
      yield* arrived(client)
      assert.strictEqual(client.ws.readyState, client.ws.OPEN)
      admit(true)
      const server = yield* upstream.accept
      for (const [n, size] of sizes.entries()) assert.deepStrictEqual(yield* server.next, Buffer.alloc(size, n))
    })
  )
})

describe("an upstream that", () => {
  it.effect("never answers is given up after 10 s", () =>
    Effect.gen(function* () {
      const client = yield* pending(["hello"])
      const closed = yield* Effect.forkChild(client.closed)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* Fiber.join(closed), { code: 1014, reason: "The gateway didn't answer in time" })
    })
  )

  it.live("is not there", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: "ws://127.0.0.1:1" })
      assert.deepStrictEqual(yield* client.closed, { code: 1014, reason: "Couldn't reach the gateway" })
    })
  )

  const answers: Record<string, string> = {
    "answers 403": "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
    "redirects elsewhere": "HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/\r\nContent-Length: 0\r\n\r\n",
    "upgrades with the wrong key":
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n"
  }
  for (const [name, answer] of Object.entries(answers)) {
    it.live(name, () =>
      Effect.gen(function* () {
        const upstream = yield* silentUpstream(answer)
        const { port } = yield* serveProxy()
        const client = yield* openProxy(port, { target: upstream.url })
        assert.deepStrictEqual(yield* client.closed, { code: 1014, reason: "The gateway refused the connection" })
      })
    )
  }

  it.live("speaks no HTTP", () =>
    Effect.gen(function* () {
      const upstream = yield* silentUpstream("\u0000\u0001 220 ready\r\n")
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: upstream.url })
      assert.strictEqual((yield* client.closed).code, 1014)
    })
  )

  it.live("dies in the middle of a frame takes the browser's connection with it, for no frame could follow", () =>
    Effect.gen(function* () {
      const { port } = yield* serveProxy()
      const upstream = yield* wsUpstream()
      const client = yield* openProxy(port, { target: upstream.url })
      const server = yield* upstream.accept
      yield* server.send("whole")
      assert.strictEqual(yield* client.next, "whole")
      // The header of a frame of 100 bytes and one byte of them.
      const raw: { readonly end: (bytes: Buffer) => void } = Reflect.get(server.ws, "_socket")
      raw.end(Buffer.from([0x82, 100, 1]))
      assert.deepStrictEqual(yield* client.closed, { code: 1006, reason: "" })
    })
  )

  it.live("dies during the handshake", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl, gatewayToken: Redacted.make("t") })
      const client = yield* openProxy(port)
      const server = yield* upstream.accept
      server.ws.terminate()
      assert.deepStrictEqual(yield* client.closed, { code: 1014, reason: "The connection to the gateway was lost" })
    })
  )

  it.live("restarts says so itself, and the next session finds it again", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl })
      const client = yield* openProxy(port)
      const server = yield* upstream.accept
      server.ws.close(1012, "service restart")
      assert.deepStrictEqual(yield* client.closed, { code: 1012, reason: "service restart" })
      const again = yield* openProxy(port)
      yield* again.send("back")
      assert.strictEqual(yield* (yield* upstream.accept).next, "back")
    })
  )

  it.effect("never sends a challenge gets the connect after 5 s, with the token and without a device", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl, gatewayToken: Redacted.make("t") })
      const client = yield* openProxy(port)
      const server = yield* upstream.accept
      yield* client.send({
        type: "req",
        id: "1",
        method: "connect",
        params: { minProtocol: 3, maxProtocol: 3, client: { id: "gateway-client", mode: "ui" } }
      })
      const answered = yield* Effect.forkChild(server.nextJson)
      // The proxy's timer starts when the message has reached it, which real sockets decide.
      const tick = Effect.andThen(
        TestClock.adjust("1 second"),
        Effect.promise(() => new Promise(setImmediate))
      )
      while (answered.pollUnsafe() === undefined) yield* tick
      const request = yield* Fiber.join(answered)
      assert.deepInclude(request.params, { auth: { token: "t" }, minProtocol: 3, maxProtocol: 4 })
      assert.notProperty(request.params, "device")
    })
  )
})

describe("keepalive", () => {
  const pings = (peer: { readonly ws: { on: (event: "ping", listener: () => void) => unknown } }) => {
    const seen = { count: 0 }
    peer.ws.on("ping", () => seen.count++)
    return seen
  }
  const settle = Effect.repeat(turn, { times: 20 })

  it.effect("pings both sides every 30 s and keeps those that answer", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: upstream.url })
      const server = yield* upstream.accept
      yield* client.send("joined")
      yield* server.next
      const atClient = pings(client)
      const atServer = pings(server)
      for (let round = 1; round <= 4; round++) {
        yield* TestClock.adjust("30 seconds")
        while (atClient.count < round || atServer.count < round) yield* settle
      }
      yield* client.send("still here")
      assert.strictEqual(yield* server.next, "still here")
    })
  )

  it.effect("ends a browser that answers no ping", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream()
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: upstream.url })
      const server = yield* upstream.accept
      yield* client.send("joined")
      yield* server.next
      client.ws.pause()
      const closed = yield* Effect.forkChild(server.closed)
      while (closed.pollUnsafe() === undefined) {
        yield* TestClock.adjust("30 seconds")
        yield* settle
      }
      assert.deepStrictEqual(yield* Fiber.join(closed), { code: 1001, reason: "The client disconnected" })
    })
  )

  it.effect("ends a gateway that answers no ping", () =>
    Effect.gen(function* () {
      const upstream = yield* wsUpstream({ autoPong: false })
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target: upstream.url })
      const server = yield* upstream.accept
      yield* client.send("joined")
      yield* server.next
      const closed = yield* Effect.forkChild(client.closed)
      while (closed.pollUnsafe() === undefined) {
        yield* TestClock.adjust("30 seconds")
        yield* settle
      }
      assert.deepStrictEqual(yield* Fiber.join(closed), {
        code: 1014,
        reason: "The connection to the gateway was lost"
      })
    })
  )
})
