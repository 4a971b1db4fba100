import { createHash } from "node:crypto"
import { Deferred, Effect, Queue, Schema } from "effect"
import type { ChatRuns } from "../chat/ChatRuns.ts"
import type { Run } from "../chat/runTypes.ts"
import type { ConnectionHub } from "../server/ConnectionHub.ts"
import { findModel, splitModelId } from "../sessions/models.ts"
import { MAIN_KEY, modelOf, type Session, type SessionStore } from "../sessions/SessionStore.ts"
import type { JsonObject } from "../wire/frames.ts"
import { type CronSchedule, nextRunAt } from "./cronSchedule.ts"

const text = Schema.optionalKey(Schema.String)

export const CronPayload = Schema.Struct({
  kind: Schema.Literals(["agentTurn", "systemEvent"]),
  message: text,
  text,
  model: text,
  thinking: text,
  timeoutSeconds: Schema.optionalKey(Schema.Finite),
  lightContext: Schema.optionalKey(Schema.Boolean),
  toolsAllow: Schema.optionalKey(Schema.Array(Schema.String))
})

export const CronDelivery = Schema.Struct({
  mode: Schema.Literals(["none", "announce"]),
  channel: text,
  to: text
})

/** The fields of a job that a client sets. */
export const cronFields = {
  name: Schema.optionalKey(Schema.String),
  description: text,
  enabled: Schema.optionalKey(Schema.Boolean),
  agentId: text,
  deleteAfterRun: Schema.optionalKey(Schema.Boolean),
  delivery: Schema.optionalKey(CronDelivery)
}

/** A job as stored by the gateway. */
export interface CronJob {
  readonly id: string
  /** Marks a job the gateway created for itself. */
  readonly declarationKey?: string
  readonly name: string
  readonly description: string | undefined
  readonly agentId?: string
  readonly enabled: boolean
  readonly deleteAfterRun: boolean | undefined
  readonly schedule: CronSchedule
  readonly sessionTarget: "main" | "isolated"
  readonly wakeMode: "now" | "next-heartbeat"
  readonly payload: typeof CronPayload.Type
  readonly delivery: typeof CronDelivery.Type | undefined
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly state: JsonObject & { readonly nextRunAtMs?: number; readonly runningAtMs?: number }
}

export const CronSessionTarget = Schema.Literals(["main", "isolated"])
export const CronWakeMode = Schema.Literals(["now", "next-heartbeat"])

/** What the jobs stand on. */
export interface CronJobsOptions {
  readonly now: () => number
  readonly newId: () => string
  readonly hub: ConnectionHub
  readonly store: SessionStore
  readonly runs: ChatRuns
  readonly fork: (effect: Effect.Effect<void>) => void
  /** Called whenever the next due time may have changed. */
  readonly changed: Queue.Enqueue<void>
}

const MAX_ENTRIES = 200

/** The scheduled jobs, their runs and their events. */
export class CronJobs {
  readonly jobs = new Map<string, CronJob>()
  readonly entries = new Map<string, ReadonlyArray<JsonObject>>()
  private readonly options: CronJobsOptions
  private counter = 0

  constructor(options: CronJobsOptions) {
    this.options = options
  }

  /** Stores and announces a job. */
  save(job: CronJob, action: "added" | "updated"): CronJob {
    const saved = { ...job, state: this.scheduled(job) }
    this.jobs.set(saved.id, saved)
    this.emit(saved, action, saved.state.nextRunAtMs === undefined ? {} : { nextRunAtMs: saved.state.nextRunAtMs })
    this.rearm()
    return saved
  }

  remove(id: string): boolean {
    const job = this.jobs.get(id)
    if (job === undefined) return false
    this.jobs.delete(id)
    this.emit(job, "removed", {})
    this.rearm()
    return true
  }

  /** The next due time of all jobs in epoch milliseconds. */
  nextWakeAt(): number | undefined {
    const times = [...this.jobs.values()].flatMap(({ enabled, state }) =>
      enabled && state.nextRunAtMs !== undefined ? [state.nextRunAtMs] : []
    )
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Starts every job that is due. */
  runDue(): void {
    const now = this.options.now()
    for (const job of [...this.jobs.values()])
      if (job.enabled && job.state.nextRunAtMs !== undefined && job.state.nextRunAtMs <= now) this.run(job, undefined)
  }

  /** Starts a job now and returns the queued run's id. */
  runNow(job: CronJob): string {
    this.counter += 1
    const runId = `manual:${job.id}:${this.options.now()}:${this.counter}`
    this.run(job, runId)
    return runId
  }

  private run(job: CronJob, manualId: string | undefined): void {
    const { now, newId, runs, fork } = this.options
    const runAtMs = now()
    const running = { ...job, state: { ...job.state, runningAtMs: runAtMs } }
    const next = nextRunAt(job.schedule, runAtMs, job.createdAtMs)
    const { nextRunAtMs: _, ...state } = running.state
    this.jobs.set(job.id, {
      ...running,
      state: next === undefined || !job.enabled ? state : { ...state, nextRunAtMs: next }
    })
    this.rearm()
    fork(
      Effect.yieldNow.pipe(
        Effect.andThen(
          Effect.suspend(() => {
            this.emit(job, "started", { runAtMs })
            const session = this.sessionOf(job)
            const run = runs.start({
              runId: newId(),
              session,
              kind: "cron",
              text: job.payload.message ?? job.payload.text ?? job.name
            })
            return Deferred.await(run.done).pipe(
              Effect.andThen(() => Effect.sync(() => this.finished(job.id, run, session, runAtMs, manualId)))
            )
          })
        )
      )
    )
  }

  private sessionOf(job: CronJob): Session {
    const { store, newId } = this.options
    if (job.sessionTarget === "main") return store.open(MAIN_KEY)
    const id = newId()
    const session = store.open(`agent:main:cron:${job.id}:run:${id}`)
    session.sessionId = id
    session.label = `Cron: ${job.name}`
    const wanted = job.payload.model === undefined ? undefined : splitModelId(job.payload.model)
    if (wanted !== undefined && findModel(wanted.provider, wanted.id) !== undefined) session.override = wanted
    session.thinkingLevel = job.payload.thinking
    return session
  }

  private finished(id: string, run: Run, session: Session, runAtMs: number, manualId: string | undefined): void {
    const job = this.jobs.get(id)
    const outcome = run.outcome
    if (job === undefined || outcome === undefined) return
    const { now } = this.options
    const ok = outcome.status === "ok"
    const model = modelOf(session)
    const durationMs = now() - runAtMs
    const status = ok ? "ok" : "error"
    const answer = session.messages.findLast((message) => message.role === "assistant")
    const usage = answer?.role === "assistant" ? answer.usage : undefined
    const errors = typeof job.state.consecutiveErrors === "number" ? job.state.consecutiveErrors : 0
    const { runningAtMs: _, ...state } = job.state
    const saved: CronJob = {
      ...job,
      updatedAtMs: now(),
      state: {
        ...state,
        lastRunAtMs: runAtMs,
        lastRunStatus: status,
        lastStatus: status,
        lastDurationMs: durationMs,
        consecutiveErrors: ok ? 0 : errors + 1,
        ...(ok ? {} : { lastError: outcome.error })
      }
    }
    this.jobs.set(id, saved)
    const fields: JsonObject = {
      status,
      completionStatus: ok ? "succeeded" : "failed",
      summary: outcome.text,
      ...(outcome.error === undefined ? {} : { error: outcome.error }),
      delivered: false,
      deliveryStatus: "not-requested",
      sessionId: session.sessionId,
      sessionKey: session.key,
      runAtMs,
      durationMs,
      ...(saved.state.nextRunAtMs === undefined ? {} : { nextRunAtMs: saved.state.nextRunAtMs }),
      model: model.id,
      provider: model.provider,
      usage: {
        input_tokens: usage?.input ?? 0,
        output_tokens: usage?.output ?? 0,
        total_tokens: usage?.totalTokens ?? 0
      },
      ...(manualId !== undefined ? { runId: manualId } : {})
    }
    const entry = { ts: now(), jobId: id, action: "finished", ...fields }
    this.entries.set(id, [entry, ...(this.entries.get(id) ?? [])].slice(0, MAX_ENTRIES))
    this.emit(saved, "finished", fields)
    if (saved.deleteAfterRun === true && saved.schedule.kind === "at") this.remove(id)
  }

  private scheduled(job: CronJob): CronJob["state"] {
    const { nextRunAtMs: _, ...state } = job.state
    const next = job.enabled ? nextRunAt(job.schedule, this.options.now(), job.createdAtMs) : undefined
    return next === undefined ? state : { ...state, nextRunAtMs: next }
  }

  private emit(job: CronJob, action: string, fields: JsonObject): void {
    const payload = { jobId: job.id, action, job: jobView(job), ...fields }
    this.options.hub.emitToReaders({ event: "cron", payload })
  }

  private rearm(): void {
    Queue.offerUnsafe(this.options.changed, undefined)
  }
}

/** A job as it is sent. */
export const jobView = (job: CronJob): JsonObject => {
  const shown: JsonObject = Object.fromEntries(Object.entries(job).filter(([, value]) => value !== undefined))
  return {
    ...shown,
    ...(job.payload.kind === "agentTurn"
      ? { payload: { ...job.payload, toolsAllow: job.payload.toolsAllow ?? ["*"] } }
      : {}),
    scheduledToolPolicy: { version: 1, mode: "trusted" },
    configRevision: `sha256:${createHash("sha256").update(`${job.id}:${job.updatedAtMs}`).digest("base64url")}`,
    ...(job.state.nextRunAtMs === undefined ? {} : { nextRunAtMs: job.state.nextRunAtMs })
  }
}

/** Starts each job when it's due, as long as the gateway runs. */
export const runSchedule = (cron: CronJobs, changed: Queue.Dequeue<void>, now: () => number): Effect.Effect<never> =>
  Effect.suspend(() => {
    const next = cron.nextWakeAt()
    const wait = next === undefined ? Effect.never : Effect.sleep(Math.max(0, next - now()))
    return Effect.raceFirst(wait.pipe(Effect.andThen(Effect.sync(() => cron.runDue()))), Queue.take(changed))
  }).pipe(Effect.forever)
