import { assert, it } from "@effect/vitest"
import type { UsageHistoryRow } from "../../../../src/contract/schema/usage.ts"
import { readUsage } from "../../../src/core/operations/usage.ts"
import { usageCsv } from "../../../src/core/operations/usageCsv.ts"
import { usageRow } from "./usageRow.ts"

const csv = (fields: Partial<UsageHistoryRow>) =>
  usageCsv(readUsage({ from: "2026-11-01", to: "2026-11-02", group: ["day"], rows: [usageRow(fields)] }))

it("is a line for each day, model and agent, after the names of the columns", () => {
  const row = {
    day: "2026-11-01",
    model: "m",
    provider: "p",
    agent: "main",
    cost: 0.5,
    inputTokens: 1,
    outputTokens: 2
  }
  assert.deepStrictEqual(
    csv({ ...row, cacheReadTokens: 3, cacheWriteTokens: 4, messageCount: 5, errorCount: 6 }).split("\r\n"),
    [
      "\uFEFFDay (UTC),Model,Agent,Cost (USD),Tokens in,Tokens out,Read from cache,Written to cache,Responses,Failed",
      "2026-11-01,p/m,main,0.5,1,2,3,4,5,6",
      ""
    ]
  )
})

it("keeps commas, quotes and line breaks of names in their cells, and runs nothing in a spreadsheet", () => {
  const [, line = ""] = csv({ day: "2026-11-01", model: 'a,"b"', agent: "=HYPERLINK(1)" }).split("\r\n")
  assert.isTrue(line.startsWith(`2026-11-01,"a,""b""",'=HYPERLINK(1),0,`), line)
})
