import { Cron, DateTime, Option, Result, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import { body, filledText, flag, maybe, required, text } from "../../../contract/schema/fields.ts"
import { CronRun } from "../../../contract/schema/gateway.ts"
import { shownValue } from "../client/callFailures.ts"

const NICKNAME = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i
/** Fields without the symbols (`L`, `W`, `#`, `?`) that only the gateway can validate. */
const PLAIN = /^[\d*,/\s-]+$/

const expressionFault = (expression: string): string | undefined => {
  const text = expression.trim()
  if (NICKNAME.test(text)) return undefined
  const parts = text === "" ? [] : text.split(/\s+/)
  const fits = parts.length >= 5 && parts.length <= 7
  const judged = fits && parts.length <= 6 && PLAIN.test(text)
  return fits && !(judged && Result.isFailure(Cron.parse(text)))
    ? undefined
    : "must be a cron expression, such as 0 9 * * *"
}

const zoneFault = (zone: unknown): string | undefined =>
  zone === undefined || (typeof zone === "string" && Option.isSome(DateTime.zoneMakeNamed(zone)))
    ? undefined
    : "must have an IANA time zone in tz, such as Europe/Berlin"

/** A schedule as people or the gateway write it: a cron expression, or the gateway's object. */
export type ScheduleInput = string | Readonly<Record<string, unknown>>

/**
 * What's wrong with a schedule; `undefined` if it's fine. Checked before it's sent, because older gateways store what
 * they then reject. Schedules of newer gateways that aren't times are left to them.
 */
export const scheduleFault = (schedule: ScheduleInput): string | undefined => {
  if (typeof schedule === "string") return expressionFault(schedule)
  switch (schedule.kind) {
    case "cron":
      return (
        (typeof schedule.expr === "string" ? expressionFault(schedule.expr) : "must have expr") ??
        zoneFault(schedule.tz)
      )
    case "every":
      return Number.isSafeInteger(schedule.everyMs) && Number(schedule.everyMs) > 0
        ? undefined
        : "must have everyMs, a whole number of milliseconds above 0"
    case "at":
      return typeof schedule.at === "string" && !Number.isNaN(Date.parse(schedule.at))
        ? undefined
        : "must have at, an ISO time such as 2027-01-31T09:00:00Z"
    case "on-exit":
    case "stream":
      return undefined
    default:
      return `must be a cron expression or have a kind: cron, every or at, not ${shownValue(schedule.kind)}`
  }
}

const Fields = Schema.Record(Schema.String, Schema.Unknown)

const Schedule = Schema.Union([Schema.String, Fields])
  .annotate(failure("MUST_BE_A_CRON_EXPRESSION"))
  .check(Schema.makeFilter((schedule: ScheduleInput) => scheduleFault(schedule)))

const Prompt = filledText(100_000)
/** Only shown: what is stored is the schedule. */
const ReadOnly = Schema.optionalKey(Schema.Never.annotate(failure("SCHEDULE_READ_ONLY")))

/**
 * A new job in the simple form (`schedule` text, `prompt`, `channel`) or the gateway's own; other fields pass through.
 */
export const CronJobInput = Schema.StructWithRest(
  body({
    schedule: required(Schedule),
    prompt: maybe(Prompt),
    channel: maybe(text(200)),
    name: maybe(filledText(500)),
    payload: maybe(Fields),
    delivery: maybe(Fields),
    sessionTarget: maybe(Schema.String),
    expression: ReadOnly
  }),
  [Fields]
).check(
  Schema.makeFilter((job) =>
    job.prompt === undefined && job.payload === undefined
      ? { path: ["prompt"], issue: "is required if there's no payload" }
      : undefined
  )
)
export type CronJobInput = typeof CronJobInput.Type

/** Changes of a job, in either form; an empty or null `channel` ends the delivery. */
export const CronJobPatch = Schema.StructWithRest(
  body({
    schedule: maybe(Schedule),
    prompt: maybe(Prompt),
    channel: maybe(Schema.NullOr(text(200))),
    name: maybe(filledText(500)),
    enabled: maybe(flag),
    payload: maybe(Fields),
    delivery: maybe(Fields),
    expression: ReadOnly
  }),
  [Fields]
).check(Schema.makeFilter((patch) => (Object.keys(patch).length === 0 ? "must change something" : undefined)))
export type CronJobPatch = typeof CronJobPatch.Type

/** A job as stored by the gateway. */
export const GatewayJob = Schema.StructWithRest(Schema.Struct({ id: Schema.String }), [Fields])
export type GatewayJob = typeof GatewayJob.Type

/** A page of `cron.list`. */
export const JobPage = Schema.Struct({
  jobs: Schema.Array(GatewayJob),
  nextOffset: Schema.optionalKey(Schema.NullOr(Schema.Int))
})

/** Answer to `cron.run`: queued, or not run and why. */
export const RunAnswer = Schema.Struct({
  runId: Schema.optionalKey(Schema.String),
  ran: Schema.optionalKey(Schema.Boolean),
  reason: Schema.optionalKey(Schema.String)
})
export type RunAnswer = typeof RunAnswer.Type

/** Answer to `cron.runs`, newest first. */
export const RunPage = Schema.Struct({ entries: Schema.Array(CronRun) })

/** Answer to `cron.remove`; older gateways say `false` for an unknown job. */
export const Removed = Schema.Struct({ removed: Schema.optionalKey(Schema.Boolean) })

/** There is no job with this id. */
export class CronJobNotFound extends Schema.TaggedError<CronJobNotFound>()("CronJobNotFound", {
  id: Schema.String
}) {}

/** The gateway rejected the job's schedule; `message` names the field and what it must be. */
export class InvalidCronJob extends Schema.TaggedError<InvalidCronJob>()("InvalidCronJob", failureFields) {}

/** The job cannot be started because it runs. */
export class CronJobRunning extends Schema.TaggedError<CronJobRunning>()("CronJobRunning", {
  id: Schema.String
}) {}

/** The gateway takes only so many changes of jobs a minute, and had those. */
export class TooManyCronChanges extends Schema.TaggedError<TooManyCronChanges>()("TooManyCronChanges", {}) {}
