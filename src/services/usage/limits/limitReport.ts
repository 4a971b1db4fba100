import { Schema } from "effect"
import { errorOf, type Failure } from "../../../contract/failure.ts"
import { Why } from "../../../contract/schema/failure.ts"

/** One of agent A's limits; times in epoch seconds, `null` if unknown. */
export const AgentAWindow = Schema.Struct({
  used_percent: Schema.Finite,
  left_percent: Schema.Finite,
  resets_at: Schema.NullOr(Schema.Finite),
  resets_at_formatted: Schema.NullOr(Schema.String)
})

/** One of agent B's limits; the time in epoch milliseconds, `null` if the tool's text can't be read. */
export const AgentBWindow = Schema.Struct({
  used_percent: Schema.Finite,
  left_percent: Schema.Finite,
  resets_at_epoch: Schema.NullOr(Schema.Finite),
  resets_at_raw: Schema.String
})

/** Both routes' response if nothing is known, with a reason. */
export const Unavailable = Schema.Struct({
  available: Schema.Literal(false),
  error: Schema.String,
  why: Schema.optionalKey(Why),
  /** The limits are being fetched; try again later. */
  pending: Schema.optionalKey(Schema.Literal(true))
})
export type Unavailable = typeof Unavailable.Type

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

/** `GET /api/agent-b-limits`. */
export const AgentBLimits = Schema.Struct({
  available: Schema.Literal(true),
  session_limit: Schema.NullOr(AgentBWindow),
  weekly_limit: Schema.NullOr(AgentBWindow)
})
export type AgentBLimits = typeof AgentBLimits.Type

/** Limits are unknown, and why. */
export const unavailable = (failure: Failure): Unavailable => ({ available: false, ...errorOf(failure) })

/** A percentage clamped to 0–100. */
export const percent = (value: number): number => Math.min(100, Math.max(0, value))
