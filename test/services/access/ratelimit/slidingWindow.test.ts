import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { attempt } from "../../../../src/services/access/ratelimit/slidingWindow.ts"

it("allows the limit, refuses the next, and frees a place when the oldest is a window old", () => {
  let times: ReadonlyArray<number> = []
  for (const now of [0, 10, 20]) {
    const verdict = attempt(times, now, 3, 100)
    assert.isTrue(verdict.allowed)
    times = verdict.times
  }
  const refused = attempt(times, 99, 3, 100)
  assert.deepStrictEqual(refused, { allowed: false, remaining: 0, resetAt: 100, times: [0, 10, 20] })
  const freed = attempt(times, 100, 3, 100)
  assert.deepStrictEqual(freed, { allowed: true, remaining: 0, resetAt: 110, times: [10, 20, 100] })
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
      let times: ReadonlyArray<number> = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const verdict = attempt(times, now, limit, 100)
        times = verdict.times
        if (verdict.allowed) accepted.push(now)
        assert.isAtMost(accepted.filter((time) => time > now - 100).length, limit)
        assert.strictEqual(verdict.remaining, limit - verdict.times.length)
      }
    })
)
