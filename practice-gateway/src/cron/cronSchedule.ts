import { Cron } from "croner"
import { DateTime, Option, Result, Schema } from "effect"

/** When a job runs; only its kind's fields are used. */
export const CronScheduleParams = Schema.Struct({
  kind: Schema.Literals(["cron", "every", "at"]),
  expr: Schema.optionalKey(Schema.String),
  tz: Schema.optionalKey(Schema.String),
  staggerMs: Schema.optionalKey(Schema.Finite),
  everyMs: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  anchorMs: Schema.optionalKey(Schema.Finite),
  at: Schema.optionalKey(Schema.String)
})

export type CronSchedule = typeof CronScheduleParams.Type

/** The expression by the library that real gateways read it with, so that the same ones are taken. */
const parsed = ({ expr = "", tz = "UTC" }: CronSchedule): Result.Result<Cron, string> =>
  Result.try({
    try: () => new Cron(expr, { timezone: tz, paused: true }),
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })

/** What's wrong with an expression or its zone, in the gateway's words; `undefined` if it's valid. */
export const expressionFault = (schedule: CronSchedule): string | undefined => {
  if (schedule.kind !== "cron") return undefined
  const { tz } = schedule
  const { tz: _, ...anywhere } = schedule
  const expression = parsed(anywhere)
  if (Result.isFailure(expression)) return expression.failure
  return tz === undefined || Option.isSome(DateTime.zoneMakeNamed(tz))
    ? undefined
    : `CronDate: Failed to convert date to timezone '${tz}'. This may happen with invalid timezone names or dates.`
}

const MINUTE_MS = 60_000
const MAX_YEARS = 10
const MAX_AHEAD_MS = MAX_YEARS * 365.25 * 24 * 60 * MINUTE_MS

/** What's wrong with a time, in the gateway's words; `undefined` if it's valid. */
export const momentFault = (schedule: CronSchedule, now: number): string | undefined => {
  if (schedule.kind !== "at") return undefined
  const { at = "" } = schedule
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return `Invalid schedule.at: expected ISO-8601 timestamp (got ${at})`
  if (ms < now - MINUTE_MS) {
    const minutes = Math.floor((now - ms) / MINUTE_MS)
    const time = (at: number) => DateTime.formatIso(DateTime.makeUnsafe(at))
    return `schedule.at is in the past: ${time(ms)} (${minutes} minutes ago). Current time: ${time(now)}`
  }
  return ms > now + MAX_AHEAD_MS
    ? `schedule.at is too far in the future: ${at}. Maximum allowed: ${MAX_YEARS} years`
    : undefined
}

const dateOf = (at: number) => DateTime.toDateUtc(DateTime.makeUnsafe(at))

/** The last times before `now` in epoch milliseconds, the newest first. */
export const earlierRuns = (schedule: CronSchedule, now: number, count: number): ReadonlyArray<number> => {
  if (schedule.kind === "at") return []
  if (schedule.kind === "every") {
    const { anchorMs = now, everyMs = MINUTE_MS } = schedule
    const last = anchorMs + Math.floor((now - anchorMs) / everyMs) * everyMs
    return Array.from({ length: count }, (_, index) => last - index * everyMs)
  }
  // The library throws when it finds no earlier time.
  const times = Result.flatMap(parsed(schedule), (cron) => Result.try(() => cron.previousRuns(count, dateOf(now))))
  return Result.getOrElse(times, () => []).map((time) => time.getTime())
}

/** The next time after `now` in epoch milliseconds; `undefined` when there is none. */
export const nextRunAt = (schedule: CronSchedule, now: number, createdAt: number): number | undefined => {
  if (schedule.kind === "at") {
    const at = Date.parse(schedule.at ?? "")
    return at > now ? at : undefined
  }
  if (schedule.kind === "every") {
    const every = schedule.everyMs ?? 60_000
    const anchor = schedule.anchorMs ?? createdAt
    return anchor + (Math.floor((now - anchor) / every) + 1) * every
  }
  const next = Result.flatMap(parsed(schedule), (cron) => Result.try(() => cron.nextRun(dateOf(now))))
  return Result.getOrElse(next, () => null)?.getTime()
}

/** What's wrong with an expression whose date never comes, in the gateway's words. */
export const neverRunsFault = (schedule: CronSchedule, now: number): string | undefined =>
  schedule.kind === "cron" && nextRunAt(schedule, now, now) === undefined
    ? `cron expression "${schedule.expr ?? ""}" has no upcoming run time and would never fire`
    : undefined
