import type { UsageGroup, UsageHistoryRow } from "../../../contract/schema/usage.ts"
import { isFinite, isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { NANO } from "../UsageRow.ts"
import type { UsageHistoryQuery } from "../usageHistory.ts"
import { COST, UNPRICED, WITH_RATES } from "./totalRows.ts"

type Name = "day" | "provider" | "model" | "agent" | "session" | "work"

/** Several providers can have models of the same name, and several agents sessions of the same name. */
const COLUMNS: Readonly<Record<UsageGroup, ReadonlyArray<Name>>> = {
  day: ["day"],
  model: ["provider", "model"],
  agent: ["agent"],
  session: ["agent", "session"],
  work: ["work"]
}
const ORDER = ["day", "model", "agent", "session", "work"] as const

/** What each session was for, where that's known. */
const WITH_WORK = "LEFT JOIN session_work w ON w.session = u.session"

const SUMS = [isFinite, isInteger, isInteger, isInteger, isInteger, isInteger, isInteger, isInteger] as const

/** The totals of each group with usage, in group order, including deleted transcripts. */
export const readHistory = (db: SqlConnection, query: UsageHistoryQuery): ReadonlyArray<UsageHistoryRow> => {
  const names = [...new Set(ORDER.filter((group) => query.group.includes(group)).flatMap((group) => COLUMNS[group]))]
  const columns = names.map((name) => (name === "work" ? "COALESCE(w.work, '')" : `u.${name}`)).join(", ")
  const rows = db.rows(
    `SELECT SUM(${COST}), SUM(u.messages), SUM(u.input), SUM(u.output), SUM(u.cache_read), SUM(u.cache_write),
       SUM(u.errors), ${UNPRICED}, ${columns}
     FROM all_usage u ${WITH_RATES} ${names.includes("work") ? WITH_WORK : ""}
     WHERE u.day BETWEEN ? AND ?
     GROUP BY ${columns}
     HAVING SUM(u.messages) > 0 OR SUM(u.input + u.output) > 0
     ORDER BY ${columns}`,
    query.from,
    query.to
  )
  return readRows([...SUMS, ...names.map(() => isText)], rows).map(
    ([
      nano,
      messageCount,
      inputTokens,
      outputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      errorCount,
      unpriced,
      ...values
    ]) => ({
      ...Object.fromEntries(names.map((name, column) => [name, values[column]])),
      messageCount,
      inputTokens,
      outputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      errorCount,
      cost: nano / NANO,
      ...(unpriced === 1 ? { priced: false } : {})
    })
  )
}
