import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { periodAt } from "../../../src/services/budgets/periods.ts"

const at = (iso: string) => Date.parse(iso)
const iso = (ms: number | undefined) => (ms === undefined ? undefined : DateTime.formatIso(DateTime.makeUnsafe(ms)))
const shown = ({ end, start }: ReturnType<typeof periodAt>) => [iso(start), iso(end)]

describe("the periods of a budget", () => {
  it("are the zone's days, weeks from Monday and months, of 23 and 25 hours too", () => {
    const summer = at("2026-03-29T12:00:00Z")
    assert.deepStrictEqual(shown(periodAt("day", "Europe/Berlin", summer)), [
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z"
    ])
    assert.deepStrictEqual(shown(periodAt("day", "Europe/Berlin", at("2026-10-25T12:00:00Z"))), [
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z"
    ])
    assert.deepStrictEqual(shown(periodAt("week", "Europe/Berlin", summer)), [
      "2026-03-22T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z"
    ])
    assert.deepStrictEqual(shown(periodAt("month", "Europe/Berlin", summer)), [
      "2026-02-28T23:00:00.000Z",
      "2026-03-31T22:00:00.000Z"
    ])
    assert.deepStrictEqual(shown(periodAt("month", "UTC", at("2026-12-31T23:59:59.999Z"))), [
      "2026-12-01T00:00:00.000Z",
      "2027-01-01T00:00:00.000Z"
    ])
  })

  it("begin at the first moment of a day whose midnight is skipped, or comes twice", () => {
    assert.deepStrictEqual(shown(periodAt("day", "Africa/Cairo", at("2026-04-24T12:00:00Z"))), [
      "2026-04-23T22:00:00.000Z",
      "2026-04-24T21:00:00.000Z"
    ])
    assert.deepStrictEqual(shown(periodAt("day", "America/Havana", at("2026-11-01T12:00:00Z"))), [
      "2026-11-01T04:00:00.000Z",
      "2026-11-02T05:00:00.000Z"
    ])
  })

  it("don't end for a run and the total", () => {
    assert.deepStrictEqual(periodAt("run", "UTC", 5), { start: 0, end: undefined })
    assert.deepStrictEqual(periodAt("total", "UTC", 5), { start: 0, end: undefined })
  })

  const Zone = Schema.Literals([
    "UTC",
    "Europe/Berlin",
    "Africa/Cairo",
    "America/Havana",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Pacific/Honolulu",
    "Australia/Lord_Howe"
  ])
  const Moment = Schema.Int.check(
    Schema.isBetween({ minimum: at("2012-01-01T00:00:00Z"), maximum: at("2037-12-31T00:00:00Z") })
  )
  const Kind = Schema.Literals(["day", "week", "month"])

  it.prop(
    "contain their moment, follow each other and begin with another local date, whatever the zone",
    [Kind, Zone, Moment],
    ([kind, zone, moment]) => {
      const { end = 0, start } = periodAt(kind, zone, moment)
      assert.isAtMost(start, moment)
      assert.isAbove(end, moment)
      assert.deepStrictEqual(periodAt(kind, zone, start).start, start)
      assert.deepStrictEqual(periodAt(kind, zone, end).start, end)
      assert.deepStrictEqual(periodAt(kind, zone, end - 1).start, start)
      const local = (ms: number) => {
        const parts = DateTime.toParts(
          DateTime.makeZonedUnsafe(ms, { timeZone: Option.getOrThrow(DateTime.zoneMakeNamed(zone)) })
        )
        return { ...parts, day: parts.day, weekDay: parts.weekDay }
      }
      assert.notStrictEqual(local(start).day, local(start - 1).day)
      if (kind === "week") assert.strictEqual(local(start).weekDay, 1)
      if (kind === "month") assert.strictEqual(local(start).day, 1)
    }
  )
})
