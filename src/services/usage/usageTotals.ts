import { Schema } from "effect"
import type { SqlConnection } from "../sqlite/Sqlite.ts"
import { NANO } from "./UsageRow.ts"

/** Usage of one provider in the transcripts of now (SPEC "Token usage"). */
export const UsageEntry = Schema.Struct({
  source: Schema.String,
  cost: Schema.Finite,
  messageCount: Schema.Int,
  inputTokens: Schema.Int,
  outputTokens: Schema.Int,
  cacheReadTokens: Schema.Int,
  errorCount: Schema.Int
})

/** `GET /api/tokens`: costs in US dollars, `updatedAt` in epoch milliseconds (SPEC "Token usage"). */
export const UsageSummary = Schema.Struct({
  totalCost: Schema.Finite,
  totalInput: Schema.Int,
  totalOutput: Schema.Int,
  totalMessages: Schema.Int,
  entries: Schema.Array(UsageEntry),
  /** Everything ever counted, deleted transcripts included; never goes down (D60). */
  persistent: Schema.Struct({
    totalInput: Schema.Int,
    totalOutput: Schema.Int,
    totalCost: Schema.Finite,
    /** ISO 8601. */
    lastUpdated: Schema.String
  }),
  updatedAt: Schema.Finite
})

export type UsageSummary = typeof UsageSummary.Type

/** What a row cost: as its transcript says, else its tokens at the model's rates, else nothing. */
export const COST = `(u.nano_dollars + CASE u.priced WHEN 1 THEN 0 ELSE COALESCE(CAST(ROUND(
  u.input * r.input + u.output * r.output + u.cache_read * r.cache_read + u.cache_write * r.cache_write
) AS INTEGER), 0) END)`

/** Joins the rates of a row's model. */
export const WITH_RATES = "LEFT JOIN rates r ON r.provider = u.provider AND r.model = u.model"

const decodeEntries = Schema.decodeUnknownSync(
  Schema.Array(
    Schema.Struct({
      source: Schema.String,
      nano: Schema.Finite,
      messageCount: Schema.Int,
      inputTokens: Schema.Int,
      outputTokens: Schema.Int,
      cacheReadTokens: Schema.Int,
      errorCount: Schema.Int
    })
  )
)
const decodeKept = Schema.decodeUnknownSync(
  Schema.Struct({ nano: Schema.Finite, input: Schema.Finite, output: Schema.Finite })
)

const ENTRIES = `
  SELECT u.provider AS source, SUM(${COST}) AS nano, SUM(u.messages) AS messageCount, SUM(u.input) AS inputTokens,
    SUM(u.output) AS outputTokens, SUM(u.cache_read) AS cacheReadTokens, SUM(u.errors) AS errorCount
  FROM current_usage u ${WITH_RATES}
  GROUP BY u.provider ORDER BY nano DESC, source`

const KEPT = `
  SELECT COALESCE(SUM(${COST}), 0) AS nano, COALESCE(SUM(u.input), 0) AS input, COALESCE(SUM(u.output), 0) AS output
  FROM all_usage u ${WITH_RATES}`

/** Everything ever counted: tokens, and billionths of a dollar. */
export type KeptTotals = ReturnType<typeof decodeKept>

/** Sums of everything ever counted here, without what was carried over. */
export const countedTotals = (db: SqlConnection): KeptTotals => decodeKept(db.get(KEPT))

const decodeCarried = Schema.decodeUnknownSync(
  Schema.Struct({ nano: Schema.Finite, input: Schema.Finite, output: Schema.Finite, updatedAt: Schema.String })
)

const readCarried = (db: SqlConnection) => {
  const row = db.get("SELECT input, output, nano_dollars AS nano, updated_at AS updatedAt FROM carried")
  return row === undefined ? undefined : decodeCarried(row)
}

/** Whether the first scan is behind us. */
export const isSettled = (db: SqlConnection): boolean => readCarried(db) !== undefined

/**
 * Ends the first scan: keeps what an earlier count tells beyond the transcripts that are still there, so that
 * `persistent` never goes down, not even when the database was lost.
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

/** Notes when the totals changed (ISO 8601). */
export const touch = (db: SqlConnection, now: string): void => {
  db.run("UPDATE carried SET updated_at = ?", now)
}

/** The summary without the time of the scan. */
export type Totals = Omit<UsageSummary, "updatedAt">

/** Adds everything up. */
export const readTotals = (db: SqlConnection): Totals => {
  const rows = decodeEntries(db.all(ENTRIES))
  const counted = countedTotals(db)
  const carried = readCarried(db) ?? { nano: 0, input: 0, output: 0, updatedAt: "" }
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    totalCost: sum((row) => row.nano) / NANO,
    totalInput: sum((row) => row.inputTokens),
    totalOutput: sum((row) => row.outputTokens),
    totalMessages: sum((row) => row.messageCount),
    entries: rows.map(({ nano, ...entry }) => ({ ...entry, cost: nano / NANO })),
    persistent: {
      totalInput: counted.input + carried.input,
      totalOutput: counted.output + carried.output,
      totalCost: (counted.nano + carried.nano) / NANO,
      lastUpdated: carried.updatedAt
    }
  }
}
