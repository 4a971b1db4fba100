import { Schema } from "effect"
import type { SqlConnection } from "../sqlite/Sqlite.ts"
import { NANO } from "./UsageRow.ts"
import { COST, WITH_RATES } from "./usageTotals.ts"

/** What a series can be told apart by. */
export const USAGE_GROUPS = ["day", "model", "agent", "session"] as const
export const UsageGroup = Schema.Literals(USAGE_GROUPS)
export type UsageGroup = typeof UsageGroup.Type

/** Which part of the history, in which detail. */
export interface UsageHistoryQuery {
  /** First day, UTC `YYYY-MM-DD`. */
  readonly from: string
  /** Last day, included. */
  readonly to: string
  /** At least one. */
  readonly group: ReadonlyArray<UsageGroup>
}

/** The sums of one group; it has the fields that it was grouped by. */
export const UsageHistoryRow = Schema.Struct({
  day: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(Schema.String),
  model: Schema.optionalKey(Schema.String),
  agent: Schema.optionalKey(Schema.String),
  session: Schema.optionalKey(Schema.String),
  /** US dollars. */
  cost: Schema.Finite,
  messageCount: Schema.Int,
  inputTokens: Schema.Int,
  outputTokens: Schema.Int,
  cacheReadTokens: Schema.Int,
  cacheWriteTokens: Schema.Int,
  errorCount: Schema.Int
})

const { cost: _, ...plainFields } = UsageHistoryRow.fields
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ ...plainFields, nano: Schema.Finite })))

/** Models of one name exist at several providers, sessions of one name at several agents. */
const COLUMNS: Readonly<Record<UsageGroup, ReadonlyArray<string>>> = {
  day: ["day"],
  model: ["provider", "model"],
  agent: ["agent"],
  session: ["agent", "session"]
}

/** The sums of each group that has any usage, in the order of the groups; deleted transcripts included. */
export const readHistory = (db: SqlConnection, query: UsageHistoryQuery) => {
  const wanted = USAGE_GROUPS.filter((group) => query.group.includes(group))
  const columns = [...new Set(wanted.flatMap((group) => COLUMNS[group]))].map((name) => `u.${name}`).join(", ")
  const rows = db.all(
    `SELECT ${columns}, SUM(${COST}) AS nano, SUM(u.messages) AS messageCount, SUM(u.input) AS inputTokens,
       SUM(u.output) AS outputTokens, SUM(u.cache_read) AS cacheReadTokens, SUM(u.cache_write) AS cacheWriteTokens,
       SUM(u.errors) AS errorCount
     FROM all_usage u ${WITH_RATES}
     WHERE u.day BETWEEN ? AND ?
     GROUP BY ${columns}
     HAVING SUM(u.messages) > 0 OR SUM(u.input + u.output) > 0
     ORDER BY ${columns}`,
    query.from,
    query.to
  )
  return decodeRows(rows).map(({ nano, ...row }) => ({ ...row, cost: nano / NANO }))
}
