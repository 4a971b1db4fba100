import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy, wsUpstream } from "../../../support/sockets.ts"

const CONNECT = {
  type: "req",
  id: "c-1",
  method: "connect",
  params: {
    minProtocol: 3,
    maxProtocol: 3,
    client: { id: "gateway-client", version: "1.0.0", platform: "MacIntel", mode: "ui" },
    role: "operator",
    scopes: ["operator.read"],
    caps: []
  }
}
const CHALLENGE = { type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } }
const STARTING = {
  type: "res",
  id: "c-1",
  ok: false,
  error: { code: "UNAVAILABLE", message: "starting", retryable: true, retryAfterMs: 5_000 }
}
const FAREWELL = { code: 4001, reason: "changed my mind ü" }
const VANISHED = { code: 1001, reason: "The client disconnected" }

/** A browser and a gateway that adds credentials to its session, or doesn't. */
const world = Effect.fnUntraced(function* (isTrusted: boolean) {
  const upstream = yield* wsUpstream()
  const token = isTrusted ? Redacted.make("token") : undefined
  const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl, gatewayToken: token })
  const client = yield* openProxy(port)
  const gateway = yield* upstream.accept
  return { client, gateway, upstream }
})

describe("a browser that leaves before the gateway has let it in", () => {
  for (const isTrusted of [true, false]) {
    const kind = isTrusted ? "with credentials" : "without credentials"
    it.live(`at once: the gateway gets its code and reason (${kind})`, () =>
      Effect.gen(function* () {
        const { client, gateway } = yield* world(isTrusted)
        client.ws.close(FAREWELL.code, FAREWELL.reason)
        assert.deepStrictEqual(yield* gateway.closed, FAREWELL)
        assert.deepStrictEqual(yield* client.closed, FAREWELL)
      })
    )

    it.live(`by vanishing: the gateway is told (${kind})`, () =>
      Effect.gen(function* () {
        const { client, gateway } = yield* world(isTrusted)
        client.ws.terminate()
        assert.deepStrictEqual(yield* gateway.closed, VANISHED)
      })
    )

    it.live(`while the connection to the gateway opens: it gets code and reason as soon as it's there (${kind})`, () =>
      Effect.gen(function* () {
        let admit: (accepted: boolean) => void = () => undefined
        const asked = Promise.withResolvers<void>()
        const upstream = yield* wsUpstream({
          verifyClient: (_info: unknown, callback: (accepted: boolean) => void) => {
            admit = callback
            asked.resolve()
          }
        })
        const token = isTrusted ? Redacted.make("token") : undefined
        const { port } = yield* serveProxy({ gatewayUrl: upstream.httpUrl, gatewayToken: token })
        const client = yield* openProxy(port)
        yield* Effect.promise(() => asked.promise)
        client.ws.close(FAREWELL.code, FAREWELL.reason)
        admit(true)
        const gateway = yield* upstream.accept
        assert.deepStrictEqual(yield* gateway.closed, FAREWELL)
        assert.deepStrictEqual(yield* client.closed, FAREWELL)
      })
    )
  }

  it.live("with a connect that waits for the challenge: the gateway gets the close, not the connect", () =>
    Effect.gen(function* () {
      const { client, gateway } = yield* world(true)
      yield* client.send(CONNECT)
      yield* client.send("something else")
      client.ws.close(FAREWELL.code, FAREWELL.reason)
      assert.deepStrictEqual(yield* gateway.closed, FAREWELL)
      const message = yield* Effect.raceFirst(gateway.next, Effect.as(Effect.yieldNow, "none"))
      assert.strictEqual(message, "none")
      assert.deepStrictEqual(yield* client.closed, FAREWELL)
    })
  )

  it.live("after its connect: the gateway needn't answer that first", () =>
    Effect.gen(function* () {
      const { client, gateway } = yield* world(true)
      yield* gateway.send(CHALLENGE)
      yield* client.send(CONNECT)
      assert.strictEqual((yield* gateway.nextJson).method, "connect")
      client.ws.close(FAREWELL.code, FAREWELL.reason)
      assert.deepStrictEqual(yield* gateway.closed, FAREWELL)
      assert.deepStrictEqual(yield* client.closed, FAREWELL)
      const other = yield* world(true)
      yield* other.gateway.send(CHALLENGE)
      yield* other.client.send(CONNECT)
      assert.strictEqual((yield* other.gateway.nextJson).method, "connect")
      other.client.ws.terminate()
      assert.deepStrictEqual(yield* other.gateway.closed, VANISHED)
    })
  )

  it.live("with a close frame that comes in pieces", () =>
    Effect.gen(function* () {
      const { client, gateway } = yield* world(true)
      yield* gateway.send(CHALLENGE)
      yield* client.send(CONNECT)
      assert.strictEqual((yield* gateway.nextJson).method, "connect")
      const raw: { readonly write: (bytes: Buffer, written: () => void) => void } = Reflect.get(client.ws, "_socket")
      // A masked close frame with the code 4001 and the reason "abc"; the masking key is zero.
      const frame = Buffer.concat([Buffer.from([0x88, 0x85, 0, 0, 0, 0, 0x0f, 0xa1]), Buffer.from("abc")])
      for (const byte of frame) {
        yield* Effect.callback<void>((resume) => raw.write(Buffer.of(byte), () => setImmediate(resume, Effect.void)))
      }
      assert.deepStrictEqual(yield* gateway.closed, { code: 4001, reason: "abc" })
    })
  )

  it.effect("is not waited for by a gateway that is still starting: nobody connects for it again", () =>
    Effect.gen(function* () {
      for (const leave of ["close", "terminate"] as const) {
        const { client, gateway, upstream } = yield* world(true)
        yield* gateway.send(CHALLENGE)
        yield* client.send(CONNECT)
        assert.strictEqual((yield* gateway.nextJson).method, "connect")
        yield* gateway.send(STARTING)
        yield* gateway.closed
        if (leave === "close") client.ws.close(FAREWELL.code, FAREWELL.reason)
        else client.ws.terminate()
        assert.deepStrictEqual(yield* client.closed, leave === "close" ? FAREWELL : { code: 1006, reason: "" })
        const again = yield* Effect.forkChild(upstream.accept)
        for (let turns = 0; turns < 50; turns++) {
          yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => new Promise(setImmediate))
        }
        assert.isUndefined(again.pollUnsafe())
        assert.strictEqual(yield* upstream.connections, 0)
        yield* Fiber.interrupt(again)
      }
    })
  )
})
