import { assert, describe, it } from "@effect/vitest"
import type { UsageHistoryRow, UsageSummary } from "../../../../src/contract/schema/usage.ts"
import { money } from "../../../src/core/common/numberText.ts"
import {
  allTokens,
  byDay,
  byName,
  costText,
  count,
  firstDay,
  readTotals,
  readUsage,
  sumUp
} from "../../../src/core/operations/usage.ts"
import { asAnswer } from "../support/asAnswer.ts"
import { usageRow } from "./usageRow.ts"

const row = (fields: Partial<UsageHistoryRow>) =>
  usageRow({
    day: "2026-11-19",
    provider: "demo",
    model: "swift",
    agent: "main",
    cost: 1,
    messageCount: 2,
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 3,
    cacheWriteTokens: 1,
    ...fields
  })
const report = (rows: ReadonlyArray<UsageHistoryRow>) =>
  readUsage({ from: "2026-11-18", to: "2026-11-20", group: ["day"], rows })

describe("a usage report", () => {
  it("has every day, those without usage too", () => {
    const days = byDay(report([row({}), row({ model: "scholar", cost: 0.5 }), row({ day: "2026-11-20", cost: 2 })]))
    assert.deepStrictEqual(
      days.map(({ name, cost, messages }) => [name, cost, messages]),
      [
        ["2026-11-18", 0, 0],
        ["2026-11-19", 1.5, 4],
        ["2026-11-20", 2, 2]
      ]
    )
  })

  it("groups by model and agent, the dearest first", () => {
    const { rows } = report([row({}), row({ model: "scholar", cost: 4, agent: "coder" }), row({ cost: 2 })])
    assert.deepStrictEqual(
      byName(rows, "model").map(({ name, cost }) => [name, cost]),
      [
        ["demo/scholar", 4],
        ["demo/swift", 3]
      ]
    )
    assert.deepStrictEqual(
      byName(rows, "agent").map(({ name }) => name),
      ["coder", "main"]
    )
    assert.strictEqual(allTokens(sumUp(rows)), 57)
  })

  it("has no days that it doesn't name", () => {
    assert.deepStrictEqual(byDay({ from: "x", to: "y", rows: [] }), [])
    assert.deepStrictEqual(byDay({ from: "2026-11-20", to: "2026-11-01", rows: [] }), [])
  })

  it("begins so that today is the last of its days", () => {
    assert.strictEqual(firstDay(7, Date.parse("2026-11-20T23:59:00Z")), "2026-11-14")
  })
})

describe("what has no price", () => {
  it("is never shown as nothing, in its row and in every sum", () => {
    const rows = [row({ model: "free", cost: 0, priced: false }), row({}), row({ day: "2026-11-20" })]
    const read = report(rows)
    const models = byName(read.rows, "model")
    assert.deepStrictEqual(
      models.map((model) => [model.name, costText(model)]),
      [
        ["demo/swift", "$2.00"],
        ["demo/free", "no price"]
      ]
    )
    assert.deepStrictEqual(byDay(read).map(costText), ["$0.00", "at least $1.00", "$1.00"])
    assert.strictEqual(costText(sumUp(read.rows)), "at least $2.00")
    const totals = asAnswer<UsageSummary>({ persistent: { totalCost: 0.25 }, entries: [{ priced: false }, {}] })
    assert.strictEqual(costText(readTotals(totals)), "at least $0.25")
    assert.strictEqual(costText({ cost: 0 }), "$0.00")
  })
})

describe("figures", () => {
  it("read as people write them", () => {
    assert.deepStrictEqual(
      [0, 0.00184, 0.05, 0.0969, 1.5, 1234.567].map((value) => money(value, "en-GB")),
      ["$0.00", "<$0.01", "$0.05", "$0.10", "$1.50", "$1,234.57"]
    )
    assert.deepStrictEqual(
      [0, 999, 9_999, 12_345, 3_200_000].map((value) => count(value, "en-US")),
      ["0", "999", "9,999", "12.3k", "3.2M"]
    )
  })
})
