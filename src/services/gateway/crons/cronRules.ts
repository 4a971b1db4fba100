import { Option, Schema } from "effect"
import type { CronJob, CronRun } from "../../../contract/schema/gateway.ts"
import type { CronJobInput, CronJobPatch, GatewayJob, RunAnswer, ScheduleInput } from "./cronSchemas.ts"

type Fields = Readonly<Record<string, unknown>>

const MAX_ID = 200
const CONTROL = /\p{Cc}/u

/** Whether this is a valid job id; anything that could be a path never reaches the gateway. */
export const isJobId = (id: string): boolean =>
  id.length > 0 && id.length <= MAX_ID && !/[/\\]|^\.+$/.test(id) && !CONTROL.test(id)

const MAX_NAME = 60

const nameFrom = (prompt: string): string => {
  const line = (prompt.trim().split("\n")[0] ?? "").trim()
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).trimEnd()}…`
}

const scheduleOf = (schedule: ScheduleInput) =>
  typeof schedule === "string" ? { kind: "cron", expr: schedule.trim() } : schedule

const promptPayload = (isMain: boolean, prompt: string) =>
  isMain ? { kind: "systemEvent", text: prompt } : { kind: "agentTurn", message: prompt }

const deliveryTo = (channel: string | null | undefined) => (channel ? { mode: "announce", channel } : { mode: "none" })

/** The job in the gateway's form: fills in what the simple form leaves out and keeps everything else. */
export const gatewayJob = ({ schedule, prompt, channel, ...rest }: CronJobInput): Fields => {
  const isMain = rest.sessionTarget === "main"
  const fields: Fields = { ...rest, schedule: scheduleOf(schedule) }
  const addressed =
    channel === undefined ? fields : { ...fields, delivery: { ...rest.delivery, ...deliveryTo(channel) } }
  if (prompt === undefined) return addressed
  return {
    name: nameFrom(prompt),
    sessionTarget: "isolated",
    wakeMode: "now",
    ...(isMain ? {} : { delivery: deliveryTo(undefined) }),
    ...addressed,
    payload: { ...rest.payload, ...promptPayload(isMain, prompt) }
  }
}

/** A patch in the gateway's form; `isMain` says whether the job runs in the main session. */
export const gatewayPatch = ({ schedule, prompt, channel, ...rest }: CronJobPatch, isMain: boolean): Fields => ({
  ...rest,
  ...(schedule === undefined ? {} : { schedule: scheduleOf(schedule) }),
  ...(prompt === undefined ? {} : { payload: { ...rest.payload, ...promptPayload(isMain, prompt) } }),
  ...(channel === undefined ? {} : { delivery: { ...rest.delivery, ...deliveryTo(channel) } })
})

const CronExpression = Schema.Struct({ kind: Schema.Literal("cron"), expr: Schema.String })
const Turn = Schema.Struct({ kind: Schema.Literal("agentTurn"), message: Schema.String })
const Note = Schema.Struct({ kind: Schema.Literal("systemEvent"), text: Schema.String })
const Announcement = Schema.Struct({ mode: Schema.Literal("announce"), channel: Schema.String })

const readExpression = Schema.decodeUnknownOption(CronExpression)
const readPayload = Schema.decodeUnknownOption(Schema.Union([Turn, Note]))
const readDelivery = Schema.decodeUnknownOption(Announcement)

const promptOf = (payload: typeof Turn.Type | typeof Note.Type) =>
  payload.kind === "agentTurn" ? payload.message : payload.text

/** Whether a job runs in the main session. */
export const isMainJob = (job: GatewayJob): boolean => job.sessionTarget === "main"

/** A job in both forms. */
export const shownJob = (job: GatewayJob): CronJob => ({
  ...job,
  ...Option.match(readExpression(job.schedule), { onNone: () => ({}), onSome: ({ expr }) => ({ expression: expr }) }),
  ...Option.match(readPayload(job.payload), {
    onNone: () => ({}),
    onSome: (payload) => ({ prompt: promptOf(payload) })
  }),
  ...Option.match(readDelivery(job.delivery), { onNone: () => ({}), onSome: ({ channel }) => ({ channel }) })
})

const QUEUED_AT = /:(\d{1,16}):\d+$/

/**
 * Whether a run is the one that `cron.run` queued. Newer gateways repeat its id; older ones only give the time, which
 * is part of the id.
 */
export const isQueuedRun = (queued: RunAnswer, run: CronRun): boolean => {
  if (queued.runId === undefined) return false
  if (run.runId !== undefined) return run.runId === queued.runId
  const queuedAt = QUEUED_AT.exec(queued.runId)?.[1]
  return queuedAt !== undefined && run.runAtMs !== undefined && run.runAtMs >= Number(queuedAt)
}
