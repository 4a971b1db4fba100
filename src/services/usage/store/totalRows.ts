import type { UsageGroup, UsageHistoryRow, UsageSummary } from "../../../contract/schema/usage.ts"
import { isFinite, isInteger, isText, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { NANO } from "../UsageRow.ts"
import type { UsageHistoryQuery } from "../usageSchemas.ts"

/** A row's cost: from its transcript, else its tokens at the model's rates, else nothing. */
const COST = `(u.nano_dollars + CASE u.priced WHEN 1 THEN 0 ELSE COALESCE(CAST(ROUND(
  u.input * r.input + u.output * r.output + u.cache_read * r.cache_read + u.cache_write * r.cache_write
) AS INTEGER), 0) END)`

/**
 * 1 if some of the rows used tokens that nobody has a price for: gateways write a cost of zero for models without one.
 */
const UNPRICED = `MAX(u.input + u.output + u.cache_read + u.cache_write > 0 AND ${COST} = 0)`

/** Joins the rates of a row's model. */
const WITH_RATES = "LEFT JOIN rates r ON r.provider = u.provider AND r.model = u.model"

const ENTRIES = `
  SELECT u.provider AS source, SUM(${COST}) AS nano, SUM(u.messages), SUM(u.input), SUM(u.output), SUM(u.cache_read),
    SUM(u.errors), ${UNPRICED}
  FROM current_usage u ${WITH_RATES}
  GROUP BY u.provider ORDER BY nano DESC, source`
const ENTRY = [isText, isFinite, isInteger, isInteger, isInteger, isInteger, isInteger, isInteger] as const

const KEPT = `
  SELECT COALESCE(SUM(${COST}), 0), COALESCE(SUM(u.input), 0), COALESCE(SUM(u.output), 0)
  FROM all_usage u ${WITH_RATES}`

/** All-time totals: tokens and billionths of a dollar. */
export interface KeptTotals {
  readonly nano: number
  readonly input: number
  readonly output: number
}

/** All-time totals counted here, without what was carried over. */
export const countedTotals = (db: SqlConnection): KeptTotals => {
  const [[nano, input, output] = [0, 0, 0]] = readRows([isFinite, isFinite, isFinite], db.rows(KEPT))
  return { nano, input, output }
}

const readCarried = (db: SqlConnection) => {
  const rows = db.rows("SELECT input, output, nano_dollars, updated_at FROM carried")
  return readRows([isFinite, isFinite, isFinite, isText], rows)[0]
}

/** Whether everything has been counted once. */
export const isSettled = (db: SqlConnection): boolean => readCarried(db) !== undefined

/**
 * Finishes the first complete count: keeps what an earlier one had beyond what can still be counted, so that
 * `persistent` never goes down, even if the database was lost.
 */
export const settle = (db: SqlConnection, earlier: KeptTotals, now: string): void => {
  const counted = countedTotals(db)
  db.run(
    "INSERT INTO carried (only, input, output, nano_dollars, updated_at) VALUES (1, ?, ?, ?, ?)",
    Math.max(0, earlier.input - counted.input),
    Math.max(0, earlier.output - counted.output),
    Math.max(0, earlier.nano - counted.nano),
    now
  )
}

/** Records when the totals changed (ISO 8601). */
export const touch = (db: SqlConnection, now: string): void => {
  db.run("UPDATE carried SET updated_at = ?", now)
}

/** The summary without the time of the scan. */
export type Totals = Omit<UsageSummary, "updatedAt">

/** Adds everything up. */
export const readTotals = (db: SqlConnection): Totals => {
  const rows = readRows(ENTRY, db.rows(ENTRIES)).map(
    ([source, nano, messageCount, inputTokens, outputTokens, cacheReadTokens, errorCount, unpriced]) => ({
      nano,
      entry: {
        source,
        cost: nano / NANO,
        messageCount,
        inputTokens,
        outputTokens,
        cacheReadTokens,
        errorCount,
        ...(unpriced === 1 ? { priced: false } : {})
      }
    })
  )
  const counted = countedTotals(db)
  const [carriedInput, carriedOutput, carriedNano, lastUpdated] = readCarried(db) ?? [0, 0, 0, ""]
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    totalCost: sum(({ nano }) => nano) / NANO,
    totalInput: sum(({ entry }) => entry.inputTokens),
    totalOutput: sum(({ entry }) => entry.outputTokens),
    totalMessages: sum(({ entry }) => entry.messageCount),
    entries: rows.map(({ entry }) => entry),
    persistent: {
      totalInput: counted.input + carriedInput,
      totalOutput: counted.output + carriedOutput,
      totalCost: (counted.nano + carriedNano) / NANO,
      lastUpdated
    }
  }
}

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
