import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { RateLimiter } from "../../../../src/services/access/ratelimit/RateLimiter.ts"

const preset = { limit: 2, windowMs: 60_000 }

it.effect("keys are apart from one another and a refund gives a place back", () =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    yield* limiter.take("a", preset)
    assert.strictEqual((yield* limiter.take("a", preset)).remaining, 0)
    assert.isFalse((yield* limiter.take("a", preset)).allowed)
    assert.isTrue((yield* limiter.take("b", preset)).allowed)
    yield* limiter.refund("a")
    assert.isTrue((yield* limiter.take("a", preset)).allowed)
  }).pipe(Effect.provide(RateLimiter.layer))
)

it.effect("holds 10,000 entries at most, the one longest unused forgotten first", () =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    yield* limiter.take("first", preset)
    yield* limiter.take("second", preset)
    yield* TestClock.adjust("1 second")
    yield* limiter.take("first", preset)
    for (let index = 0; index < 9_999; index++) yield* limiter.take(`key ${index}`, preset)
    assert.strictEqual(yield* limiter.size, 10_000)
    assert.isFalse((yield* limiter.take("first", preset)).allowed)
    assert.strictEqual((yield* limiter.take("second", preset)).remaining, 1)
  }).pipe(Effect.provide(RateLimiter.layer))
)

it.effect("expired entries are purged every 5 minutes", () =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    yield* limiter.take("old", preset)
    yield* TestClock.adjust("270 seconds")
    yield* limiter.take("young", preset)
    assert.strictEqual(yield* limiter.size, 2)
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* limiter.size, 1)
  }).pipe(Effect.provide(RateLimiter.layer))
)
