import { Schema } from "effect"

/** What a series can be told apart by. */
export const UsageGroup = Schema.Literals(["day", "model", "agent", "session"])
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

export type UsageHistoryRow = typeof UsageHistoryRow.Type
