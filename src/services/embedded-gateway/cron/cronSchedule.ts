import { Cron, Result, Schema } from "effect"

/** When a job runs; exactly the fields of its kind are used. */
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

const PARTS = "exactly five, six, or seven space separated parts are required."

/** What is wrong with a schedule, in the gateway's words; `undefined` when it can be used. */
export const scheduleFault = (schedule: CronSchedule): string | undefined => {
  if (schedule.kind === "every") return schedule.everyMs === undefined ? "everyMs is required" : undefined
  if (schedule.kind === "at")
    return schedule.at === undefined || Number.isNaN(Date.parse(schedule.at)) ? "at must be an ISO time" : undefined
  const expr = schedule.expr ?? ""
  return Result.isFailure(Cron.parse(expr, schedule.tz ?? "UTC"))
    ? `CronPattern: invalid configuration format ('${expr}'), ${PARTS}`
    : undefined
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
  const parsed = Cron.parse(schedule.expr ?? "", schedule.tz ?? "UTC")
  return Result.isFailure(parsed) ? undefined : Cron.next(parsed.success, now).getTime()
}
