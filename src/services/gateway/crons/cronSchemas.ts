import { Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { body, filledText, flag, maybe, required, text } from "../../../contract/schema/fields.ts"
import { CronRun } from "../../../contract/schema/gateway.ts"
import { type ScheduleInput, scheduleFault } from "./cronSchedule.ts"

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
