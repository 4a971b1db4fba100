import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { backoffMs, FIRST_ATTEMPT, nextAttempt } from "../../../src/services/gateway/reconnectRules.ts"

const Failures = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5000 }))
const Fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999_999 }))

describe("backoffMs (D34)", () => {
  it.prop("stays from 1 s to 30 s and never shrinks with more failures", [Failures, Fraction], ([failures, random]) => {
    const delay = backoffMs(failures, random)
    assert.isAtLeast(delay, 1000)
    assert.isAtMost(delay, 30_000)
    assert.isAtLeast(backoffMs(failures + 1, random), delay)
  })
})

describe("nextAttempt", () => {
  const ended = (end: number | "silent" | "retry-device", livedMs: number) => ({ _tag: "Ended", end, livedMs }) as const

  it("a link that is accepted and dropped again and again is tried ever more slowly", () => {
    let attempt = FIRST_ATTEMPT
    const delays = [1, 2, 3, 4].map(() => {
      const next = nextAttempt(attempt, ended(1006, 50), 0)
      attempt = next.attempt
      return next.delayMs
    })
    assert.deepStrictEqual(delays, [1000, 2000, 4000, 8000])
    assert.strictEqual(nextAttempt(attempt, ended(1006, 10_000), 0).delayMs, 1000)
  })

  it("leaving the reduced link to try the device again costs no waiting and no status", () => {
    const next = nextAttempt({ ...FIRST_ATTEMPT, signing: "none", failures: 3 }, ended("retry-device", 30_000), 0.5)
    assert.deepStrictEqual(next, { attempt: FIRST_ATTEMPT, delayMs: 0, down: undefined })
  })
})
