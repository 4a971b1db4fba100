import { DateTime, Schema } from "effect"
import type { AgentALimits } from "../../../contract/schema/usage.ts"
import { percent } from "./limitReport.ts"

const Balance = Schema.Union([Schema.Finite, Schema.FiniteFromString])

const Credits = Schema.Struct({
  has_credits: Schema.optionalKey(Schema.Boolean),
  unlimited: Schema.optionalKey(Schema.Boolean),
  balance: Schema.optionalKey(Schema.NullOr(Balance))
})

const RemoteWindow = Schema.Struct({
  used_percent: Schema.Finite,
  reset_at: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

/** The remote response. */
export const RemoteReport = Schema.Struct({
  plan_type: Schema.optionalKey(Schema.String),
  rate_limit: Schema.Struct({
    primary_window: Schema.optionalKey(Schema.NullOr(RemoteWindow)),
    secondary_window: Schema.optionalKey(Schema.NullOr(RemoteWindow))
  }),
  credits: Schema.optionalKey(Schema.NullOr(Credits))
})

const LocalWindow = Schema.Struct({
  used_percent: Schema.Finite,
  resets_at: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  resets_in_seconds: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

/** A session file's line with limits; `timestamp` is ISO 8601. */
export const LocalReport = Schema.fromJsonString(
  Schema.Struct({
    timestamp: Schema.String,
    payload: Schema.Struct({
      rate_limits: Schema.Struct({
        primary: Schema.optionalKey(Schema.NullOr(LocalWindow)),
        secondary: Schema.optionalKey(Schema.NullOr(LocalWindow)),
        credits: Schema.optionalKey(Schema.NullOr(Credits)),
        plan_type: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    })
  })
)

const format = (seconds: number | null): string | null => {
  const time = seconds === null ? undefined : DateTime.make(seconds * 1000)
  return time === undefined || time._tag === "None" ? null : DateTime.formatIso(time.value)
}

const windowOf = (used: number, resetsAt: number | null, now: number): AgentALimits["weekly_limit"] => {
  // A window that has ended since then is empty again.
  const usedPercent = resetsAt !== null && resetsAt * 1000 <= now ? 0 : percent(used)
  return {
    used_percent: usedPercent,
    left_percent: 100 - usedPercent,
    resets_at: resetsAt,
    resets_at_formatted: format(resetsAt)
  }
}

const creditsOf = (credits: typeof Credits.Type | null | undefined): AgentALimits["credits"] => ({
  has_credits: credits?.has_credits ?? false,
  unlimited: credits?.unlimited ?? false,
  balance: credits?.balance ?? 0
})

/** The limits from the remote service. */
export const fromRemote = (report: typeof RemoteReport.Type, now: number): AgentALimits => {
  const window = (found: typeof RemoteWindow.Type | null | undefined) =>
    found === null || found === undefined ? null : windowOf(found.used_percent, found.reset_at ?? null, now)
  return {
    available: true,
    source: "api",
    five_hour_limit: window(report.rate_limit.primary_window),
    weekly_limit: window(report.rate_limit.secondary_window),
    credits: creditsOf(report.credits),
    plan_type: report.plan_type ?? "unknown"
  }
}

/** The latest limits in a session file. */
export const fromLocal = (report: typeof LocalReport.Type, now: number): AgentALimits => {
  const told = Date.parse(report.timestamp)
  const { primary, secondary, credits, plan_type } = report.payload.rate_limits
  const window = (found: typeof LocalWindow.Type | null | undefined) => {
    if (found === null || found === undefined) return null
    const ends = found.resets_in_seconds ?? undefined
    const resetsAt = found.resets_at ?? (ends === undefined ? null : Math.round(told / 1000 + ends))
    return windowOf(found.used_percent, Number.isFinite(resetsAt) ? resetsAt : null, now)
  }
  return {
    available: true,
    source: "local",
    five_hour_limit: window(primary),
    weekly_limit: window(secondary),
    credits: creditsOf(credits),
    plan_type: plan_type ?? "unknown"
  }
}
