import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { isZone } from "../../../src/contract/schema/push.ts"
import { quietUntil } from "../../../src/services/push/deliveryRules.ts"

const night = (zone: string) => ({ from: "22:00", to: "07:00", zone })
const until = (now: string, quiet: Parameters<typeof quietUntil>[1]) => {
  const end = quietUntil(Date.parse(now), quiet)
  return end === undefined ? undefined : DateTime.formatIso(DateTime.makeUnsafe(end))
}

describe("quiet hours", () => {
  it.each([
    ["2026-05-04T21:59:59Z", undefined],
    ["2026-05-04T22:00:00Z", "2026-05-05T07:00:00.000Z"],
    ["2026-05-04T23:59:59Z", "2026-05-05T07:00:00.000Z"],
    ["2026-05-05T00:00:00Z", "2026-05-05T07:00:00.000Z"],
    ["2026-05-05T06:59:59Z", "2026-05-05T07:00:00.000Z"],
    ["2026-05-05T07:00:00Z", undefined],
    ["2026-12-31T23:00:00Z", "2027-01-01T07:00:00.000Z"]
  ])("span midnight: %s", (now, end) => {
    assert.strictEqual(until(now, night("UTC")), end)
  })

  it("within a day begin and end on it", () => {
    const nap = { from: "13:00", to: "14:30", zone: "UTC" }
    assert.isUndefined(until("2026-05-04T12:59:00Z", nap))
    assert.strictEqual(until("2026-05-04T13:00:00Z", nap), "2026-05-04T14:30:00.000Z")
    assert.isUndefined(until("2026-05-04T14:30:00Z", nap))
  })

  it("are those of their zone", () => {
    assert.strictEqual(until("2026-05-04T20:30:00Z", night("Europe/Berlin")), "2026-05-05T05:00:00.000Z")
    assert.strictEqual(until("2026-05-04T17:00:00Z", night("Asia/Kolkata")), "2026-05-05T01:30:00.000Z")
    assert.isUndefined(until("2026-05-04T22:30:00Z", night("America/New_York")))
  })

  it("end at their time of day when the clocks are changed in between", () => {
    assert.strictEqual(until("2026-03-28T22:00:00Z", night("Europe/Berlin")), "2026-03-29T05:00:00.000Z")
    assert.strictEqual(until("2026-10-24T21:00:00Z", night("Europe/Berlin")), "2026-10-25T06:00:00.000Z")
  })

  it("always end later than now, also in the hour that comes twice", () => {
    const odd = { from: "01:00", to: "02:45", zone: "Europe/Berlin" }
    for (let minute = 0; minute < 240; minute++) {
      const now = Date.parse("2026-10-24T23:00:00Z") + minute * 60_000
      const end = quietUntil(now, odd)
      if (end !== undefined) assert.isAtLeast(end, now + 60_000)
    }
  })

  it("aren't there without a choice, in a zone nobody knows, and when they begin and end at once", () => {
    assert.isUndefined(until("2026-05-04T23:00:00Z", undefined))
    assert.isUndefined(until("2026-05-04T23:00:00Z", night("Mars/Olympus")))
    assert.isUndefined(until("2026-05-04T23:00:00Z", { from: "22:00", to: "22:00", zone: "UTC" }))
    assert.isFalse(isZone("Mars/Olympus"))
    assert.isTrue(isZone("Europe/Berlin"))
  })
})
