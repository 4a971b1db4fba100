import { assert, it } from "@effect/vitest"
import { comparison, lastMonth, monthsOf } from "../../../src/core/operations/months.ts"
import { readUsage } from "../../../src/core/operations/usage.ts"

const at = (day: string) => Date.parse(`${day}T23:30:00Z`)

const report = (days: Readonly<Record<string, number>>) => {
  const rows = Object.entries(days).map(([day, cost]) => ({ day, cost }))
  const read = readUsage({ from: "2026-01-01", to: "2026-12-31", rows })
  if (read === null) throw new Error("no report")
  return read
}

it("this month is compared with the same days of the last", () => {
  const months = monthsOf(
    report({
      "2026-09-30": 1000,
      "2026-10-01": 1,
      "2026-10-23": 2,
      "2026-10-24": 4,
      "2026-10-31": 8,
      "2026-11-01": 16,
      "2026-11-23": 32
    }),
    at("2026-11-23")
  )
  assert.deepInclude(months, { thisMonth: "2026-11-01", lastMonth: "2026-10-01" })
  const { before, bySameDay, now, today } = months
  assert.deepStrictEqual([today.cost, now.cost, bySameDay.cost, before.cost], [32, 48, 3, 15])
})

it("the last day of a longer month is compared with the whole of a shorter one", () => {
  const { bySameDay, before } = monthsOf(report({ "2026-02-28": 5, "2026-03-31": 7 }), at("2026-03-31"))
  assert.deepStrictEqual([bySameDay.cost, before.cost], [5, 5])
})

it("the month before January is December, and every month has a first day before", () => {
  assert.strictEqual(lastMonth(at("2026-01-31")), "2025-12-01")
  assert.strictEqual(lastMonth(at("2026-03-31")), "2026-02-01")
  assert.strictEqual(lastMonth(at("2026-12-01")), "2026-11-01")
})

it("says how much more or less it is, and nothing about a month without any", () => {
  assert.strictEqual(comparison(112, 100, "en"), "12% more than")
  assert.strictEqual(comparison(50, 100, "en"), "50% less than")
  assert.strictEqual(comparison(100.2, 100, "en"), "as much as")
  assert.strictEqual(comparison(0, 100, "en"), "100% less than")
  assert.isUndefined(comparison(5, 0, "en"))
})
