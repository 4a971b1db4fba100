import { Schema } from "effect"

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
