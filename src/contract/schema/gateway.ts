import { Schema } from "effect"
import { Why } from "./failure.ts"
import { done } from "./fields.ts"

/** The state of the server's own link to the gateway. */
export const GatewayStatus = Schema.Struct({
  gateway: Schema.Literals(["ok", "unreachable"]),
  /** Epoch milliseconds since when `gateway` has this value. */
  since: Schema.Finite,
  /** One sentence for people; absent while everything works. With `ok` it says why the link has reduced scopes. */
  reason: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why),
  /** Present while the gateway has not approved the console's device; some gateways name no request. */
  approval: Schema.optionalKey(Schema.Struct({ requestId: Schema.NullOr(Schema.String) }))
})
export type GatewayStatus = typeof GatewayStatus.Type

/** One of the console's gateways; its token stays on the server. */
export const GatewayEntry = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  /** HTTP origin. */
  url: Schema.String,
  /** The one of the settings file, which can't be changed or removed here. */
  primary: Schema.Boolean,
  /** On the console's own machine. */
  local: Schema.Boolean,
  state: Schema.Literals(["ok", "connecting", "unreachable", "refused"]),
  /** Epoch milliseconds since when the link works, or doesn't. */
  since: Schema.Finite,
  /** One sentence for people; absent while everything works. */
  reason: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why),
  version: Schema.optionalKey(Schema.String),
  /** Generation of the wire protocol, 3 or 4. */
  protocol: Schema.optionalKey(Schema.Finite),
  device: Schema.Literals(["approved", "pending", "refused", "unknown"]),
  /** The approval request the device waits for. */
  requestId: Schema.optionalKey(Schema.String)
})
export type GatewayEntry = typeof GatewayEntry.Type

export const GatewayList = Schema.Struct({ gateways: Schema.Array(GatewayEntry) })
export type GatewayList = typeof GatewayList.Type

/** Data of `gateway.changed`: as the gateway is now, unless it's removed. */
export const GatewayChange = Schema.Struct({
  action: Schema.Literals(["added", "changed", "state", "removed"]),
  id: Schema.String,
  gateway: Schema.optionalKey(GatewayEntry)
})
export type GatewayChange = typeof GatewayChange.Type

/** Data of `cron.changed`: what happened to a scheduled job, in the gateway's word. */
export const CronChange = Schema.Struct({
  gatewayId: Schema.String,
  jobId: Schema.String,
  action: Schema.String,
  /** When the run began that this is about. */
  runAtMs: Schema.optionalKey(Schema.Finite)
})

/** Answer to `POST /api/gateways/:id/probe`: milliseconds from the console to the gateway and back. */
export const ProbedGateway = Schema.Struct({ ms: Schema.Finite })

/** Fields of the gateway that pass through as they are. */
const Fields = Schema.Record(Schema.String, Schema.Unknown)

/** A job as shown by the console: all of the gateway's fields plus the simple form. */
export const CronJob = Schema.StructWithRest(
  Schema.Struct({
    id: Schema.String,
    /** The cron expression; absent if the schedule is of another kind. */
    expression: Schema.optionalKey(Schema.String),
    prompt: Schema.optionalKey(Schema.String),
    /** Where the answer is announced, if anywhere. */
    channel: Schema.optionalKey(Schema.String)
  }),
  [Fields]
).annotate({ identifier: "CronJob" })
export type CronJob = typeof CronJob.Type

export const CronJobList = Schema.Struct({ ...done, result: Schema.Struct({ jobs: Schema.Array(CronJob) }) })
export type CronJobList = typeof CronJobList.Type

/** A job that was created or changed. */
export const StoredCronJob = Schema.StructWithRest(Schema.Struct({ ...done, ...CronJob.schema.fields }), [Fields])

/** One run of a job: an entry of its history, or the event that ended it. */
export const CronRun = Schema.StructWithRest(
  Schema.Struct({
    jobId: Schema.String,
    action: Schema.optionalKey(Schema.String),
    runId: Schema.optionalKey(Schema.String),
    runAtMs: Schema.optionalKey(Schema.Finite),
    status: Schema.optionalKey(Schema.String)
  }),
  [Fields]
).annotate({ identifier: "CronRun" })
export type CronRun = typeof CronRun.Type

export const CronRunList = Schema.Struct({ ...done, result: Schema.Struct({ entries: Schema.Array(CronRun) }) })
export type CronRunList = typeof CronRunList.Type

/** A run that has started and is still running; `details` says so. */
export const UnfinishedCronRun = Schema.Struct({
  jobId: Schema.String,
  runId: Schema.optionalKey(Schema.String),
  running: Schema.Literal(true),
  details: Schema.String
}).annotate({ identifier: "UnfinishedCronRun" })
export type UnfinishedCronRun = typeof UnfinishedCronRun.Type

/** Both answers to a request to run a job. */
export const EndedCronRun = Schema.StructWithRest(Schema.Struct({ ...done, ...CronRun.schema.fields }), [Fields])
export const OngoingCronRun = Schema.Struct({ ...done, ...UnfinishedCronRun.fields })
export type StartedCronRun = typeof EndedCronRun.Type | typeof OngoingCronRun.Type

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const texts = Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))

/** What a skill needs but the gateway's machine lacks: programs, variables, settings, an operating system. */
export const MissingOfSkill = Schema.Struct({ bins: texts, anyBins: texts, env: texts, config: texts, os: texts })
export type MissingOfSkill = typeof MissingOfSkill.Type

/** A way to install what is missing, in the gateway's words. */
export const InstallHint = Schema.Struct({ id: text, kind: text, label: Schema.String })
export type InstallHint = typeof InstallHint.Type

/**
 * A skill of the agent; missing texts are empty. `missing` and `install` say why it isn't
 * eligible, if the gateway does.
 */
export const Skill = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  emoji: Schema.String,
  eligible: Schema.Boolean,
  disabled: Schema.Boolean,
  blockedByAllowlist: Schema.Boolean,
  bundled: Schema.Boolean,
  source: Schema.String,
  homepage: Schema.String,
  missing: Schema.optionalKey(MissingOfSkill),
  install: Schema.optionalKey(Schema.Array(InstallHint))
}).annotate({ identifier: "Skill" })
export type Skill = typeof Skill.Type

export const SkillList = Schema.Struct({ ...done, skills: Schema.Array(Skill) })
export type SkillList = typeof SkillList.Type
