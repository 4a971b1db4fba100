import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { isRoutineCron, timeAfter, timeUpTo } from "../../../src/contract/schema/routineTimes.ts"

/** The times from a moment until another one, both in ISO form, as UTC times. */
const timesBetween = (cron: string, zone: string, from: string, until: string): ReadonlyArray<string> => {
  const times: Array<string> = []
  let moment = Date.parse(from)
  for (;;) {
    const next = timeAfter({ cron, zone }, moment)
    if (next === undefined || next > Date.parse(until)) return times
    assert.isAbove(next, moment)
    // What comes next is also what was last when it has come, for a make-up.
    assert.strictEqual(timeUpTo({ cron, zone }, next), next)
    times.push(DateTime.formatIso(DateTime.makeUnsafe(next)).slice(0, 16))
    moment = next
  }
}

describe("times of a routine", () => {
  it("are of five fields, by the library's rules", () => {
    for (const cron of ["0 9 * * 1-5", "*/15 * * * *", "0 9 * * MON", " 0  9 1 JAN * ", "0 0 29 2 *", "0 0 1,15 * 7"])
      assert.isTrue(isRoutineCron(cron), cron)
    for (const cron of [
      "",
      "0 9 * *",
      "0 0 9 * * 1",
      "60 * * * *",
      "*/0 * * * *",
      "5-1 * * * *",
      "@daily",
      "0 0 30 2 *"
    ])
      assert.isFalse(isRoutineCron(cron), cron)
    assert.isFalse(isRoutineCron(`${"0,".repeat(200)}0 9 * * *`))
  })

  const DAYS = [
    {
      zone: "America/New_York",
      change: "skips 02:00 to 03:00",
      cron: "30 2 * * *",
      from: "2026-03-07T00:00Z",
      until: "2026-03-10T00:00Z",
      // 02:30 EST, 03:30 EDT after the change, 02:30 EDT
      times: ["2026-03-07T07:30", "2026-03-08T07:30", "2026-03-09T06:30"]
    },
    {
      zone: "America/New_York",
      change: "repeats 01:00 to 02:00",
      cron: "30 1 * * *",
      from: "2026-10-31T00:00Z",
      until: "2026-11-03T00:00Z",
      times: ["2026-10-31T05:30", "2026-11-01T05:30", "2026-11-02T06:30"]
    },
    {
      zone: "America/Santiago",
      change: "skips midnight",
      cron: "0 0 * * *",
      from: "2026-09-05T00:00Z",
      until: "2026-09-08T00:00Z",
      times: ["2026-09-05T04:00", "2026-09-06T04:00", "2026-09-07T03:00"]
    },
    {
      zone: "America/Santiago",
      change: "repeats the hour before midnight",
      cron: "30 23 * * *",
      from: "2026-04-04T00:00Z",
      until: "2026-04-07T00:00Z",
      times: ["2026-04-04T02:30", "2026-04-05T02:30", "2026-04-06T03:30"]
    },
    {
      zone: "Australia/Lord_Howe",
      change: "skips half an hour",
      cron: "15 2 * * *",
      from: "2026-10-02T12:00Z",
      until: "2026-10-05T12:00Z",
      times: ["2026-10-02T15:45", "2026-10-03T15:45", "2026-10-04T15:15"]
    },
    {
      zone: "Australia/Lord_Howe",
      change: "repeats half an hour",
      cron: "45 1 * * *",
      from: "2026-04-03T12:00Z",
      until: "2026-04-06T12:00Z",
      times: ["2026-04-03T14:45", "2026-04-04T14:45", "2026-04-05T15:15"]
    }
  ] as const

  it.each(DAYS)("come once each day where the clock of $zone $change", ({ cron, from, times, until, zone }) => {
    assert.deepStrictEqual(timesBetween(cron, zone, from, until), times)
  })

  it("don't come twice at one moment, or back in time, at each minute of a change", () => {
    for (const { from, until, zone } of DAYS) {
      const times = timesBetween("*/20 * * * *", zone, from, until)
      assert.strictEqual(new Set(times).size, times.length)
      const format = new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
      const locals = times.map((time) => format.format(Date.parse(`${time}Z`)))
      assert.strictEqual(new Set(locals).size, locals.length, zone)
    }
  })
})
