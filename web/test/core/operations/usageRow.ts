import type { UsageHistoryRow } from "../../../../src/contract/schema/usage.ts"

/** A row of the usage's history with these fields, and nothing otherwise. */
export const usageRow = (fields: Partial<UsageHistoryRow>): UsageHistoryRow => ({
  cost: 0,
  messageCount: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  errorCount: 0,
  ...fields
})
