import { assert, describe, it } from "@effect/vitest"
import { earlierRuns, expressionFault, momentFault, neverRunsFault, nextRunAt } from "../../src/cron/cronSchedule.ts"

const at = (text: string) => Date.parse(text)
const NOON = at("2026-11-20T12:00:00Z")

describe("cron schedules", () => {
  it("an expression gives its next time in its zone", () => {
    assert.strictEqual(nextRunAt({ kind: "cron", expr: "0 9 * * *", tz: "UTC" }, NOON, 0), at("2026-11-21T09:00:00Z"))
    assert.strictEqual(
      nextRunAt({ kind: "cron", expr: "0 9 * * *", tz: "America/New_York" }, NOON, 0),
      at("2026-11-20T14:00:00Z")
    )
  })

  it("an interval counts from the job's creation", () => {
    assert.strictEqual(nextRunAt({ kind: "every", everyMs: 60_000 }, 150_000, 10_000), 190_000)
    assert.strictEqual(nextRunAt({ kind: "every", everyMs: 60_000 }, 190_000, 10_000), 250_000)
  })

  it("a moment that passed has no next time", () => {
    assert.strictEqual(nextRunAt({ kind: "at", at: "2026-11-20T12:00:01Z" }, NOON, 0), NOON + 1000)
    assert.isUndefined(nextRunAt({ kind: "at", at: "2026-11-20T11:00:00Z" }, NOON, 0))
  })

  it("returns its last times, the newest first", () => {
    const monday = at("2026-11-23T08:59:00Z")
    assert.deepStrictEqual(earlierRuns({ kind: "cron", expr: "0 9 * * 1-5", tz: "UTC" }, monday, 2), [
      at("2026-11-20T09:00:00Z"),
      at("2026-11-19T09:00:00Z")
    ])
    assert.deepStrictEqual(earlierRuns({ kind: "cron", expr: "30 16 * * 5", tz: "Europe/Berlin" }, monday, 1), [
      at("2026-11-20T15:30:00Z")
    ])
    assert.deepStrictEqual(earlierRuns({ kind: "every", everyMs: 1_000, anchorMs: 500 }, 3_000, 2), [2_500, 1_500])
    assert.deepStrictEqual(earlierRuns({ kind: "at", at: "2027-01-01" }, monday, 3), [])
  })

  it("knows the expressions that real gateways take, and dates that never come at once", () => {
    const next = (expr: string) => nextRunAt({ kind: "cron", expr, tz: "UTC" }, NOON, 0)
    assert.strictEqual(next("@daily"), at("2026-11-21T00:00:00Z"))
    assert.strictEqual(next("0 0 L * *"), at("2026-11-30T00:00:00Z"))
    assert.strictEqual(next("0 0 29 2 *"), at("2028-02-29T00:00:00Z"))
    assert.strictEqual(next("0 12 * * 5#2"), at("2026-12-11T12:00:00Z"))
    for (const expr of ["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"]) {
      const schedule = { kind: "cron", expr, tz: "Europe/Berlin" } as const
      assert.isUndefined(expressionFault(schedule))
      assert.isUndefined(nextRunAt(schedule, NOON, 0))
      assert.deepStrictEqual(earlierRuns(schedule, NOON, 2), [])
      assert.include(neverRunsFault(schedule, NOON) ?? "", "has no upcoming run time")
    }
    assert.isUndefined(neverRunsFault({ kind: "cron", expr: "@daily" }, NOON))
    assert.isUndefined(neverRunsFault({ kind: "at", at: "2020-01-01" }, NOON))
  })

  it("says what is wrong with an expression, a zone and a moment", () => {
    assert.isUndefined(expressionFault({ kind: "cron", expr: "*/5 * * * *" }))
    assert.isUndefined(expressionFault({ kind: "every" }))
    assert.include(
      expressionFault({ kind: "cron", expr: "nonsense" }),
      "CronPattern: invalid configuration format ('nonsense')"
    )
    assert.include(expressionFault({ kind: "cron", expr: "0 9 * * *", tz: "No/City" }), "timezone 'No/City'")
    assert.isUndefined(momentFault({ kind: "at", at: "2026-11-20T12:00:01Z" }, NOON))
    assert.include(momentFault({ kind: "at", at: "soon" }, NOON), "expected ISO-8601 timestamp (got soon)")
    assert.include(momentFault({ kind: "at", at: "2026-11-20T11:00:00Z" }, NOON), "is in the past")
    assert.include(momentFault({ kind: "at", at: "2037-01-01T00:00:00Z" }, NOON), "too far in the future")
  })
})
