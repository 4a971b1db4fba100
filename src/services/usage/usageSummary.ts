import { Schema } from "effect"

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
