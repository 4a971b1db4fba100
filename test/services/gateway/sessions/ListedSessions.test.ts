import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { GatewayClient, type GatewayClientShape } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { makeListedSessions } from "../../../../src/services/gateway/sessions/ListedSessions.ts"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"

/** A gateway that lists one session as soon as it may. */
const start = Effect.gen(function* () {
  const mayAnswer = yield* Deferred.make<void>()
  const gateway = yield* makeAnsweringGateway(() =>
    Effect.as(Deferred.await(mayAnswer), { ts: 7, sessions: [{ key: "a" }], hasMore: false })
  )
  const client = Context.get(yield* Layer.build(gateway.layer), GatewayClient)
  const background: Array<boolean> = []
  const request: GatewayClientShape["request"] = (method, params, payload, options) => {
    background.push(options?.background === true)
    return client.request(method, params, payload, options)
  }
  const { read, readMore } = yield* makeListedSessions({ ...client, request })
  const readSoon = Effect.forkChild(read, { startImmediately: true })
  return { answer: Deferred.succeed(mayAnswer, undefined), background, gateway, read, readMore, readSoon }
})

describe("a gateway's list of sessions", () => {
  it.effect("is read once for all that want it, ahead of background calls, and again after a gap in the events", () =>
    Effect.gen(function* () {
      const { answer, background, gateway, read, readSoon } = yield* start
      const fibers = [yield* readSoon, yield* readSoon]
      yield* TestClock.adjust("2 seconds")
      yield* answer
      const [first, second] = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepInclude(first, { ts: 7, readAt: 2_000, hasMore: false })
      assert.strictEqual(second, first)
      assert.strictEqual(yield* read, first)
      assert.deepStrictEqual(background, [false])
      for (const seq of [1, 5]) yield* gateway.emit("tick", {}, seq)
      assert.notStrictEqual(yield* read, first)
      assert.deepStrictEqual(background, [false, false])
    })
  )

  it.effect("is read further ahead of background calls", () =>
    Effect.gen(function* () {
      const { answer, background, readMore } = yield* start
      yield* answer
      yield* readMore(1_000)
      yield* readMore(1_000, { archived: true })
      assert.deepStrictEqual(background, [false, false])
    })
  )

  it.effect("is read for the next one when the first is interrupted", () =>
    Effect.gen(function* () {
      const { answer, gateway, readSoon } = yield* start
      const first = yield* readSoon
      const second = yield* readSoon
      yield* Fiber.interrupt(first)
      yield* answer
      assert.deepStrictEqual((yield* Fiber.join(second)).rows, [{ key: "a" }])
      assert.strictEqual(gateway.count("sessions.list"), 2)
    })
  )
})
