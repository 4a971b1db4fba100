import { Schema } from "effect"
import { USAGE_GROUPS } from "../../contract/answers/UsageAnswers.ts"

/** One provider's usage in the current transcripts. */
export const UsageEntry = Schema.Struct({
  source: Schema.String,
  cost: Schema.Finite,
  messageCount: Schema.Int,
  inputTokens: Schema.Int,
  outputTokens: Schema.Int,
  cacheReadTokens: Schema.Int,
  errorCount: Schema.Int,
  /** `false` if some of it has no price, so that it cost more than `cost`; absent otherwise. */
  priced: Schema.optionalKey(Schema.Boolean),
  /** With more than one gateway: whose it is. */
  gatewayId: Schema.optionalKey(Schema.String)
})

/** `GET /api/tokens`: costs in US dollars, `updatedAt` in epoch milliseconds. */
export const UsageSummary = Schema.Struct({
  totalCost: Schema.Finite,
  totalInput: Schema.Int,
  totalOutput: Schema.Int,
  totalMessages: Schema.Int,
  entries: Schema.Array(UsageEntry),
  /** All-time totals, including deleted transcripts; never goes down. */
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

export const UsageGroup = Schema.Literals(USAGE_GROUPS)
export type UsageGroup = typeof UsageGroup.Type

/** Which part of the history, grouped how. */
export interface UsageHistoryQuery {
  /** First day, UTC `YYYY-MM-DD`. */
  readonly from: string
  /** Last day, included. */
  readonly to: string
  /** At least one. */
  readonly group: ReadonlyArray<UsageGroup>
}

/** One group's totals, with the fields it's grouped by. */
export const UsageHistoryRow = Schema.Struct({
  day: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(Schema.String),
  model: Schema.optionalKey(Schema.String),
  agent: Schema.optionalKey(Schema.String),
  session: Schema.optionalKey(Schema.String),
  /** `task:<id>` of a card, `cron:<id>` of a job, or empty for conversations and everything else. */
  work: Schema.optionalKey(Schema.String),
  /** US dollars. */
  cost: Schema.Finite,
  messageCount: Schema.Int,
  inputTokens: Schema.Int,
  outputTokens: Schema.Int,
  cacheReadTokens: Schema.Int,
  cacheWriteTokens: Schema.Int,
  errorCount: Schema.Int,
  /** `false` if some of it has no price, so that it cost more than `cost`; absent otherwise. */
  priced: Schema.optionalKey(Schema.Boolean),
  /** With more than one gateway: whose it is. */
  gatewayId: Schema.optionalKey(Schema.String)
})

export type UsageHistoryRow = typeof UsageHistoryRow.Type
