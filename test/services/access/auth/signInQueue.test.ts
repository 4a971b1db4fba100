import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeSignInQueue } from "../../../../src/services/access/auth/signInQueue.ts"

/** Starts checks that end on request, and lists those that have begun. */
const line = Effect.sync(() => {
  const queue = makeSignInQueue()
  const begun: Array<string> = []
  const ends: Array<Deferred.Deferred<boolean>> = []
  const start = (from: string) => {
    const end = Deferred.makeUnsafe<boolean>()
    const check = Effect.suspend(() => {
      begun.push(from)
      ends.push(end)
      return Deferred.await(end)
    })
    return Effect.forkChild(Effect.result(queue.run(from, check)), { startImmediately: true })
  }
  const endNext = Effect.suspend(() => Deferred.succeed(ends.shift() ?? Deferred.makeUnsafe<boolean>(), false))
  return { queue, begun, start, endNext }
})

it.effect("two are checked at once, eight wait, and the next gets a retry delay", () =>
  Effect.gen(function* () {
    const { begun, start } = yield* line
    for (let index = 0; index < 10; index++) yield* start("1.1.1.1")
    assert.lengthOf(begun, 2)
    const refused = yield* Fiber.join(yield* start("1.1.1.1"))
    assert.deepInclude(Result.isFailure(refused) && refused.failure, { _tag: "SignInBusy", retryAfterMs: 2000 })
  })
)

it.effect("the client with the fewest attempts is next, and replaces the one with the most", () =>
  Effect.gen(function* () {
    const { begun, start, endNext } = yield* line
    const flood = yield* Effect.forEach(Array.from({ length: 10 }), (_, index) => start(`2001:db8:7:${index}::/64`))
    const owner = yield* start("203.0.113.5")
    const pushedOut = yield* Effect.forEach(flood.slice(2), (fiber) => Effect.sync(() => fiber.pollUnsafe()))
    assert.lengthOf(
      pushedOut.filter((exit) => exit !== undefined),
      1
    )
    yield* endNext
    yield* Effect.yieldNow
    assert.strictEqual(begun.at(-1), "203.0.113.5")
    for (let index = 0; index < 3; index++) yield* endNext
    assert.deepStrictEqual(yield* Fiber.join(owner), Result.succeed(false))
  })
)

it.effect("an address the right password came from is before all that are new", () =>
  Effect.gen(function* () {
    const { queue, begun, start, endNext } = yield* line
    for (let index = 0; index < 20; index++) yield* queue.run("203.0.113.5", Effect.succeed(true))
    for (let index = 0; index < 10; index++) yield* start(`${index + 1}.1.1.1`)
    yield* start("203.0.113.5")
    yield* endNext
    yield* Effect.yieldNow
    assert.strictEqual(begun.at(-1), "203.0.113.5")
  })
)

it.effect("who leaves the line gives up the place, before and after the turn", () =>
  Effect.gen(function* () {
    const { begun, start } = yield* line
    const first = yield* start("1.1.1.1")
    const second = yield* start("2.2.2.2")
    const waiting = yield* start("3.3.3.3")
    const next = yield* start("4.4.4.4")
    yield* Fiber.interrupt(waiting)
    yield* Fiber.interrupt(first)
    yield* Effect.yieldNow
    assert.deepStrictEqual(begun, ["1.1.1.1", "2.2.2.2", "4.4.4.4"])
    yield* Fiber.interruptAll([second, next])
    yield* start("5.5.5.5")
    assert.strictEqual(begun.at(-1), "5.5.5.5")
  })
)

it.effect("after sixty wrong passwords a minute from everybody the next ones are slowed down, none is refused", () =>
  Effect.gen(function* () {
    const { queue } = yield* line
    const guess = (from: string) => queue.run(from, Effect.succeed(false))
    for (let index = 0; index < 60; index++) yield* guess(`10.0.${index}.1`)
    const slowed = yield* Effect.forkChild(guess("10.1.1.1"), { startImmediately: true })
    yield* TestClock.adjust("299 millis")
    assert.isUndefined(slowed.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.isFalse(yield* Fiber.join(slowed))
    yield* TestClock.adjust("60 seconds")
    assert.isFalse(yield* guess("10.1.1.1"))
  })
)
