import { assert, it } from "@effect/vitest"
import { changeOf, changeText, lastMonth, monthsOf } from "../../../src/core/operations/months.ts"
import { readUsage } from "../../../src/core/operations/usage.ts"
import { usageRow } from "./usageRow.ts"

const at = (day: string) => Date.parse(`${day}T23:30:00Z`)

const report = (days: Readonly<Record<string, number>>) => {
  const rows = Object.entries(days).map(([day, cost]) => usageRow({ day, cost }))
  return readUsage({ from: "2026-01-01", to: "2026-12-31", group: ["day"], rows })
}

it("the whole days of this month are compared with as many of the last", () => {
  const months = monthsOf(
    report({
      "2026-09-30": 1000,
      "2026-10-01": 1,
      "2026-10-22": 2,
      "2026-10-23": 4,
      "2026-10-31": 8,
      "2026-11-01": 16,
      "2026-11-23": 32
    }),
    at("2026-11-23")
  )
  assert.deepInclude(months, { thisMonth: "2026-11-01", lastMonth: "2026-10-01" })
  const { before, compared, now, today } = months
  assert.deepStrictEqual([today.cost, now.cost, before.cost], [32, 48, 15])
  assert.deepStrictEqual([compared?.isUntilYesterday, compared?.now.cost, compared?.before.cost], [true, 16, 3])
})

it("a longer month is compared with a shorter one by the days that both have, and not before a day is over", () => {
  const { compared } = monthsOf(
    report({ "2026-02-28": 5, "2026-03-28": 6, "2026-03-29": 70, "2026-03-31": 7 }),
    at("2026-03-31")
  )
  assert.deepStrictEqual([compared?.isUntilYesterday, compared?.now.cost, compared?.before.cost], [false, 6, 5])
  assert.isNull(monthsOf(report({ "2026-03-01": 5 }), at("2026-03-01")).compared)
})

it("the month before January is December, and every month has a first day before", () => {
  assert.strictEqual(lastMonth(at("2026-01-31")), "2025-12-01")
  assert.strictEqual(lastMonth(at("2026-03-31")), "2026-02-01")
  assert.strictEqual(lastMonth(at("2026-12-01")), "2026-11-01")
})

it("says how much more or less it is, and nothing about a month without any", () => {
  const text = (now: number, before: number) => {
    const change = changeOf(now, before)
    return change === undefined ? undefined : changeText(change, "October", "en")
  }
  assert.strictEqual(text(112, 100), "12% more than in the same days of October")
  assert.strictEqual(text(50, 100), "50% less than in the same days of October")
  assert.strictEqual(text(100.2, 100), "as much as in the same days of October")
  assert.strictEqual(text(0, 100), "100% less than in the same days of October")
  assert.isUndefined(text(5, 0))
})
