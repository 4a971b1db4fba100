import { Schema } from "effect"
import { Why } from "./failure.ts"

const sums = {
  /** US dollars. */
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
}

/** One provider's usage in the current transcripts. */
const UsageEntry = Schema.Struct({ source: Schema.String, ...sums })
export type UsageEntry = typeof UsageEntry.Type

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

/** What a series can be grouped by. */
export const UsageGroup = Schema.Literals(["day", "model", "agent", "session", "work"])
export type UsageGroup = typeof UsageGroup.Type

/** One group's totals, with the fields it's grouped by. */
const UsageHistoryRow = Schema.Struct({
  /** UTC `YYYY-MM-DD`. */
  day: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(Schema.String),
  model: Schema.optionalKey(Schema.String),
  agent: Schema.optionalKey(Schema.String),
  session: Schema.optionalKey(Schema.String),
  /** `task:<id>` of a card, `cron:<id>` of a job, or empty for conversations and everything else. */
  work: Schema.optionalKey(Schema.String),
  ...sums,
  cacheWriteTokens: Schema.Int
})
export type UsageHistoryRow = typeof UsageHistoryRow.Type

/** The series between two UTC days, both included. */
export const UsageHistory = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  group: Schema.Array(UsageGroup),
  rows: Schema.Array(UsageHistoryRow)
})
export type UsageHistory = typeof UsageHistory.Type

/** Both routes' response if nothing is known, with a reason. */
export const LimitsUnavailable = Schema.Struct({
  available: Schema.Literal(false),
  error: Schema.String,
  why: Schema.optionalKey(Why),
  /** The limits are being fetched; try again later. */
  pending: Schema.optionalKey(Schema.Literal(true))
})
export type LimitsUnavailable = typeof LimitsUnavailable.Type

/** One of agent A's limits; times in epoch seconds, `null` if unknown. */
export const AgentAWindow = Schema.Struct({
  used_percent: Schema.Finite,
  left_percent: Schema.Finite,
  resets_at: Schema.NullOr(Schema.Finite),
  resets_at_formatted: Schema.NullOr(Schema.String)
})
export type AgentAWindow = typeof AgentAWindow.Type

/** `GET /api/agent-a-limits`. */
export const AgentALimits = Schema.Struct({
  available: Schema.Literal(true),
  source: Schema.Literals(["api", "local"]),
  five_hour_limit: Schema.NullOr(AgentAWindow),
  weekly_limit: Schema.NullOr(AgentAWindow),
  credits: Schema.Struct({ has_credits: Schema.Boolean, unlimited: Schema.Boolean, balance: Schema.Finite }),
  plan_type: Schema.String
})
export type AgentALimits = typeof AgentALimits.Type

/** One of agent B's limits; the time in epoch milliseconds, `null` if the tool's text can't be read. */
export const AgentBWindow = Schema.Struct({
  used_percent: Schema.Finite,
  left_percent: Schema.Finite,
  resets_at_epoch: Schema.NullOr(Schema.Finite),
  resets_at_raw: Schema.String
})
export type AgentBWindow = typeof AgentBWindow.Type

/** `GET /api/agent-b-limits`. */
export const AgentBLimits = Schema.Struct({
  available: Schema.Literal(true),
  session_limit: Schema.NullOr(AgentBWindow),
  weekly_limit: Schema.NullOr(AgentBWindow)
})
export type AgentBLimits = typeof AgentBLimits.Type
