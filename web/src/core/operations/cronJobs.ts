import { type Fields, fieldsOf, filledText, numberOf, textOf } from "../../../../src/contract/looseFields.ts"
import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { CronJobList, CronRunList } from "../../../../src/contract/schema/gateway.ts"
import { type CronSchedule, readSchedule } from "./schedule.ts"

export type RunStatus = "ok" | "error" | "skipped"

/** A scheduled job as the screen shows it; times in epoch milliseconds. */
export interface CronJob {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly enabled: boolean
  readonly schedule: CronSchedule
  readonly prompt: string
  /** Runs in the main session instead of its own. */
  readonly isMain: boolean
  /** Where the response is announced; `last` is the last used channel, null is nowhere. */
  readonly channel: string | null
  readonly model: string | null
  readonly thinking: string | null
  readonly agentId: string | null
  /** Created and managed by the gateway itself. */
  readonly isSystem: boolean
  readonly deleteAfterRun: boolean
  readonly createdAt: number | null
  readonly runningSince: number | null
  /** The next run according to the gateway; null if there is none. */
  readonly nextRunAt: number | null
  readonly lastRunAt: number | null
  readonly lastStatus: RunStatus | null
  readonly lastError: string | null
  readonly lastDurationMs: number | null
  /** Consecutive failed runs. */
  readonly failures: number
  /** All of the gateway's payload fields, so that a change keeps those this console doesn't know. */
  readonly payload: Fields
}

/** One run in a job's history. */
export interface CronRun {
  /** When it started, otherwise when it was recorded. */
  readonly at: number
  readonly status: RunStatus | null
  readonly durationMs: number | null
  /** The agent's response. */
  readonly summary: string | null
  readonly error: string | null
  readonly sessionKey: string | null
  readonly model: string | null
  readonly tokens: number | null
}

type Jobs = CronJobList
type Runs = CronRunList

const statusOf = (value: unknown): RunStatus | null =>
  value === "ok" || value === "error" || value === "skipped" ? value : null

/** Reads a job; null without an id, since nothing can be done with it. */
export const readJob = (value: unknown): CronJob | null => {
  const job = fieldsOf(value)
  const id = filledText(job.id)
  if (id === null) return null
  const state = fieldsOf(job.state)
  const payload = fieldsOf(job.payload)
  const delivery = fieldsOf(job.delivery)
  return {
    id,
    name: filledText(job.displayName) ?? filledText(job.name) ?? id,
    description: filledText(job.description),
    enabled: job.enabled !== false,
    schedule: readSchedule(job.schedule),
    prompt: textOf(payload.message) ?? textOf(payload.text) ?? "",
    isMain: job.sessionTarget === "main",
    channel: delivery.mode === "announce" ? (filledText(delivery.channel) ?? "last") : null,
    model: filledText(payload.model),
    thinking: filledText(payload.thinking),
    agentId: filledText(job.agentId) ?? filledText(job.effectiveAgentId),
    isSystem: filledText(job.declarationKey) !== null,
    deleteAfterRun: job.deleteAfterRun === true,
    createdAt: numberOf(job.createdAtMs),
    runningSince: numberOf(state.runningAtMs),
    nextRunAt: numberOf(state.nextRunAtMs),
    lastRunAt: numberOf(state.lastRunAtMs),
    lastStatus: statusOf(state.lastRunStatus ?? state.lastStatus),
    lastError: filledText(state.lastError),
    lastDurationMs: numberOf(state.lastDurationMs),
    failures: numberOf(state.consecutiveErrors) ?? 0,
    payload
  }
}

/** The jobs in a useful order: running ones, then the next due, then those that are off, by name. */
export const readJobs = ({ result }: Jobs): ReadonlyArray<CronJob> => {
  const rank = (job: CronJob) => (job.runningSince !== null ? 0 : job.enabled ? 1 : 2)
  return result.jobs
    .flatMap((job) => readJob(job) ?? [])
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        (a.nextRunAt ?? Number.MAX_SAFE_INTEGER) - (b.nextRunAt ?? Number.MAX_SAFE_INTEGER) ||
        a.name.localeCompare(b.name)
    )
}

/** Reads a run; null without a time. */
export const readRun = (value: unknown): CronRun | null => {
  const run = fieldsOf(value)
  const usage = fieldsOf(run.usage)
  const at = numberOf(run.runAtMs) ?? numberOf(run.ts)
  if (at === null) return null
  const model = filledText(run.model)
  const provider = filledText(run.provider)
  return {
    at,
    status: statusOf(run.status),
    durationMs: numberOf(run.durationMs),
    summary: filledText(run.summary),
    error: filledText(run.error),
    sessionKey: filledText(run.sessionKey),
    model: model !== null && provider !== null ? `${provider}/${model}` : model,
    tokens: numberOf(usage.total_tokens)
  }
}

/** Reads the runs of a job of this gateway, with their sessions named as the page names them. */
export const readRuns = ({ result }: Runs, gatewayId = PRIMARY): ReadonlyArray<CronRun> =>
  result.entries.flatMap((entry) => {
    const run = readRun(entry)
    if (run === null) return []
    return [run.sessionKey === null ? run : { ...run, sessionKey: qualifiedKey(gatewayId, run.sessionKey) }]
  })
