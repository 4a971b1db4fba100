import { assert, it } from "@effect/vitest"
import { readCron } from "../../../src/core/operations/cronExpression.ts"
import { translatedCron, translatedInterval } from "../../../src/core/operations/translatedSchedule.ts"

it("describes the usual schedules in sentences that every language has, and no other", () => {
  const words = (expression: string) => {
    const reading = readCron(expression)
    return reading.kind === "fields" ? translatedCron(reading.fields, "en-GB") : reading.kind
  }
  assert.strictEqual(words("0 3 * * *"), "Every day at 03:00")
  assert.strictEqual(words("0 9 * * 1-5"), "On weekdays at 09:00")
  assert.strictEqual(words("15 10 * * 0,6"), "On weekends at 10:15")
  assert.strictEqual(words("30 16 * * 5"), "Friday at 16:30")
  assert.strictEqual(words("30 8,16 * * 0,1"), "Monday and Sunday at 08:30 and 16:30")
  assert.strictEqual(words("0 3 1 * *"), "Every month on day 1 at 03:00")
  assert.strictEqual(words("*/30 * * * *"), "At intervals of 30 minutes")
  assert.strictEqual(words("0 */2 * * *"), "At intervals of 2 hours")
  assert.strictEqual(translatedInterval(1, "week"), "At intervals of 1 week")
  assert.isNull(words("0 9 1 * 1"))
  assert.isNull(words("0 9 * 6 *"))
  assert.isNull(words("*/20 9-17 * * 1-5"))
})
