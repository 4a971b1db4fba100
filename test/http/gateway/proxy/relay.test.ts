import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, wsUpstream } from "../../../support/sockets.ts"

/** A browser and an upstream, joined by the proxy without credentials. */
const joined = Effect.gen(function* () {
  const upstream = yield* wsUpstream({ maxPayload: 26_214_400 })
  const app = yield* serveProxy()
  const client = yield* openProxy(app.port, { target: upstream.url })
  return { client, server: yield* upstream.accept }
})

describe("frames through the proxy", () => {
  it.live("keep their kind and their bytes, both ways", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      const binary = Buffer.from([0, 255, 1, 254])
      for (const [from, to] of [
        [client, server],
        [server, client]
      ] as const) {
        yield* from.send("text ü 💬")
        yield* from.send(binary)
        yield* from.send("")
        assert.strictEqual(yield* to.next, "text ü 💬")
        assert.deepStrictEqual(yield* to.next, binary)
        assert.strictEqual(yield* to.next, "")
      }
    })
  )

  it.live("may be as long as the gateway allows", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      const longest = Buffer.alloc(26_214_400, 7)
      yield* client.send(longest)
      const received = yield* server.next
      assert.isTrue(Buffer.isBuffer(received) && received.equals(longest))
      yield* server.send(longest)
      const returned = yield* client.next
      assert.isTrue(Buffer.isBuffer(returned) && returned.equals(longest))
    })
  )

  it.live("one byte longer ends both sides, the sender with 1009", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      yield* client.send("before")
      yield* client.send(Buffer.alloc(26_214_401))
      assert.strictEqual((yield* client.closed).code, 1009)
      assert.strictEqual(yield* server.next, "before")
      yield* server.closed
    })
  )

  it.live("keep their fragments", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      client.ws.send("one ", { fin: false })
      client.ws.send("two", { fin: true })
      assert.strictEqual(yield* server.next, "one two")
    })
  )

  it.live("are whatever the peers make of them: no JSON is needed", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      for (const text of ["{", "null", "[]", '{"type":"req"', "\u0000"]) {
        yield* client.send(text)
        assert.strictEqual(yield* server.next, text)
      }
    })
  )
})

describe("close codes and reasons", () => {
  const statuses = [
    { code: 1000, reason: "" },
    { code: 1000, reason: "done" },
    { code: 1008, reason: "unauthorized: device token mismatch" },
    { code: 1012, reason: "service restart" },
    { code: 4001, reason: "device removed ü" }
  ]
  for (const status of statuses) {
    it.live(`${status.code} "${status.reason}" travels both ways unchanged`, () =>
      Effect.gen(function* () {
        const down = yield* joined
        down.server.ws.close(status.code, status.reason)
        assert.deepStrictEqual(yield* down.client.closed, status)
        const up = yield* joined
        up.client.ws.close(status.code, status.reason)
        assert.deepStrictEqual(yield* up.server.closed, status)
        assert.deepStrictEqual(yield* up.client.closed, status)
      })
    )
  }

  it.live("a close without a code arrives without one", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      server.ws.close()
      assert.deepStrictEqual(yield* client.closed, { code: 1005, reason: "" })
    })
  )

  it.live("messages before the close arrive before it", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      yield* server.send("last words")
      server.ws.close(1000, "bye")
      assert.strictEqual(yield* client.next, "last words")
      assert.deepStrictEqual(yield* client.closed, { code: 1000, reason: "bye" })
    })
  )

  it.live("a gateway that dies is 1014 with a sentence, since 1006 may not be sent", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      yield* server.send("first")
      assert.strictEqual(yield* client.next, "first")
      server.ws.terminate()
      assert.deepStrictEqual(yield* client.closed, { code: 1014, reason: "The connection to the gateway was lost" })
    })
  )

  it.live("a browser that vanishes is 1001 for the gateway", () =>
    Effect.gen(function* () {
      const { client, server } = yield* joined
      client.ws.terminate()
      assert.deepStrictEqual(yield* server.closed, { code: 1001, reason: "The client disconnected" })
    })
  )
})
