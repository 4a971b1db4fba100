import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeSingleFlight } from "../../../src/services/platform/singleFlight.ts"

it.effect("later callers join, also when the first one leaves, and the next one after the end starts again", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    let runs = 0
    const flight = yield* makeSingleFlight(
      Effect.suspend(() => {
        runs += 1
        return Effect.as(Deferred.await(gate), runs)
      })
    )
    const waiting = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(flight, { startImmediately: true }))
    const [first, ...others] = waiting
    if (first !== undefined) yield* Fiber.interrupt(first)
    yield* Deferred.succeed(gate, undefined)
    for (const other of others) assert.strictEqual(yield* Fiber.join(other), 1)
    assert.strictEqual(yield* flight, 2)
  })
)

it.effect("a failure reaches everybody who joined, and is not kept", () =>
  Effect.gen(function* () {
    let runs = 0
    const flight = yield* makeSingleFlight(
      Effect.suspend(() => {
        runs += 1
        return runs === 1 ? Effect.andThen(Effect.yieldNow, Effect.fail("no")) : Effect.succeed(runs)
      })
    )
    const both = yield* Effect.all([Effect.flip(flight), Effect.flip(flight)], { concurrency: "unbounded" })
    assert.deepStrictEqual(both, ["no", "no"])
    assert.strictEqual(yield* flight, 2)
  })
)
