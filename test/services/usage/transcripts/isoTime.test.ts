import { assert, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { isoTime } from "../../../../src/services/usage/transcripts/readUsageLine.ts"

const FIRST = Date.parse("0000-01-01T00:00:00.000Z")
const LAST = Date.parse("9999-12-31T23:59:59.999Z")
const Moment = Schema.Int.check(Schema.isBetween({ minimum: FIRST, maximum: LAST }))

it.prop("writes every moment as the library does", [Moment], ([ms]) => {
  const written = DateTime.formatIso(DateTime.makeUnsafe(ms))
  assert.strictEqual(isoTime(ms), written)
  assert.strictEqual(isoTime(written), written)
})

it("knows leap years and the turn of a year", () => {
  for (const time of [
    "1970-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "2000-02-29T12:00:00.000Z",
    "1900-03-01T00:00:00.000Z",
    "2024-12-31T23:59:59.999Z"
  ]) {
    assert.strictEqual(isoTime(Date.parse(time)), time)
  }
})

it("has no time for what is none", () => {
  for (const odd of [null, undefined, "", "some day", Number.NaN, 1e300, LAST + 1, FIRST - 1, {}, true]) {
    assert.isUndefined(isoTime(odd))
  }
})
