import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { attempt } from "../../../../src/services/access/ratelimit/attemptStore.ts"

it("allows the limit, refuses the next, and frees a place when the oldest is a window old", () => {
  const times: Array<number> = []
  for (const now of [0, 10, 20]) assert.isTrue(attempt(times, now, 3, 100).allowed)
  assert.deepStrictEqual(attempt(times, 99, 3, 100), { allowed: false, remaining: 0, resetAt: 100 })
  assert.deepStrictEqual(times, [0, 10, 20])
  assert.deepStrictEqual(attempt(times, 100, 3, 100), { allowed: true, remaining: 0, resetAt: 110 })
  assert.deepStrictEqual(times, [10, 20, 100])
})

it("forgets attempts that a clock going back has left in the future", () => {
  const times = [10, 20, 30, 5000]
  assert.deepStrictEqual(attempt(times, 25, 3, 100), { allowed: true, remaining: 0, resetAt: 110 })
  assert.deepStrictEqual(times, [10, 20, 25])
})

it.effect.prop(
  "no stretch of a window ever holds more than the limit",
  [
    Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 }))),
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
  ],
  ([gaps, limit]) =>
    Effect.sync(() => {
      const accepted: Array<number> = []
      const times: Array<number> = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const verdict = attempt(times, now, limit, 100)
        if (verdict.allowed) accepted.push(now)
        assert.isAtMost(accepted.filter((time) => time > now - 100).length, limit)
        assert.strictEqual(verdict.remaining, limit - times.length)
      }
    })
)
