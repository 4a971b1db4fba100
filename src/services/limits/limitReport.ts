import { Schema } from "effect"

/** A limit of agent A; times in epoch seconds, `null` where nobody tells. */
export const AgentAWindow = Schema.Struct({
  used_percent: Schema.Finite,
  left_percent: Schema.Finite,
  resets_at: Schema.NullOr(Schema.Finite),
  resets_at_formatted: Schema.NullOr(Schema.String)
})

/** A limit of agent B; the time in epoch milliseconds, `null` where the tool's text cannot be read. */
export const AgentBWindow = Schema.Struct({
  used_percent: Schema.Finite,
  left_percent: Schema.Finite,
  resets_at_epoch: Schema.NullOr(Schema.Finite),
  resets_at_raw: Schema.String
})

/** What both routes answer when there is nothing to tell, with a sentence for people (D63). */
export const Unavailable = Schema.Struct({
  available: Schema.Literal(false),
  error: Schema.String,
  /** The agent is being asked: a later answer will tell more. */
  pending: Schema.optionalKey(Schema.Literal(true))
})
export type Unavailable = typeof Unavailable.Type

/** `GET /api/agent-a-limits` (SPEC "Coding-agent limits"). */
export const AgentALimits = Schema.Struct({
  available: Schema.Literal(true),
  source: Schema.Literals(["api", "local"]),
  five_hour_limit: Schema.NullOr(AgentAWindow),
  weekly_limit: Schema.NullOr(AgentAWindow),
  credits: Schema.Struct({ has_credits: Schema.Boolean, unlimited: Schema.Boolean, balance: Schema.Finite }),
  plan_type: Schema.String
})
export type AgentALimits = typeof AgentALimits.Type

/** `GET /api/agent-b-limits` (SPEC "Coding-agent limits"). */
export const AgentBLimits = Schema.Struct({
  available: Schema.Literal(true),
  session_limit: Schema.NullOr(AgentBWindow),
  weekly_limit: Schema.NullOr(AgentBWindow)
})
export type AgentBLimits = typeof AgentBLimits.Type

/** Says that a limit is not known, and why. */
export const unavailable = (error: string): Unavailable => ({ available: false, error })

/** A percentage within its bounds. */
export const percent = (value: number): number => Math.min(100, Math.max(0, value))
