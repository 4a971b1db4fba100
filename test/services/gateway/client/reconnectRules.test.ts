import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { notApproved, refusalOf } from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { decodeErrorBody } from "../../../../src/services/gateway/client/gatewayFrames.ts"
import {
  APPROVAL_POLL_MS,
  backoffMs,
  FIRST_ATTEMPT,
  nextAttempt,
  signingOf
} from "../../../../src/services/gateway/client/reconnectRules.ts"

const Failures = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5000 }))
const Fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999_999 }))

describe("backoffMs", () => {
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
    const reduced = { ...FIRST_ATTEMPT, deviceRefused: notApproved("r"), failures: 3 }
    const next = nextAttempt(reduced, ended("retry-device", 30_000), 0.5)
    assert.deepStrictEqual(next, { attempt: FIRST_ATTEMPT, delayMs: 0, down: undefined })
  })

  const refused = (code: string, details: object = {}) =>
    ({ _tag: "Refused", refusal: refusalOf(decodeErrorBody({ code, details })) }) as const

  it("a device that is refused is left out at once, and its signature remembered", () => {
    const unapproved = refused("NOT_PAIRED", { code: "PAIRING_REQUIRED", requestId: "r-1" })
    const next = nextAttempt({ ...FIRST_ATTEMPT, signature: "v2" }, unapproved, 0)
    assert.deepInclude(next, { delayMs: 0, down: undefined })
    assert.deepStrictEqual([signingOf(next.attempt), next.attempt.signature], ["none", "v2"])
    assert.strictEqual(next.attempt.deviceRefused?.requestId, "r-1")
  })

  it("a gateway that lets nobody in without a device is asked below its limit of ten attempts a minute", () => {
    const attempt = { ...FIRST_ATTEMPT, deviceRefused: notApproved("r-1") }
    const next = nextAttempt(attempt, refused("NOT_PAIRED", { code: "DEVICE_IDENTITY_REQUIRED" }), 0)
    assert.deepStrictEqual(next.down, notApproved("r-1"))
    assert.isAtMost((2 * 60_000) / next.delayMs, 8)
    assert.isAtMost(60_000 / APPROVAL_POLL_MS, 8)
  })
})
