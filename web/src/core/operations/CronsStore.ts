import { CRON_RUN_LIMIT_MS, type UnfinishedCronRun } from "../../../../src/contract/answers/GatewayAnswers.ts"
import type { Client } from "../client/Client.ts"
import { ownZone } from "../common/dateText.ts"
import { fieldsOf, numberOf, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult } from "../common/readable.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { type CronJob, type CronRun, readJob, readJobs, readRun, readRuns } from "./cronJobs.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { gatewayBack, gatewayEvent, streamBack } from "./sources.ts"

/** Longer than the server waits for a run's end. */
const RUN_LIMIT_MS = CRON_RUN_LIMIT_MS + 10_000

/** A started run: its end, or that it is still running. */
export type BegunRun = { readonly isRunning: false; readonly run: CronRun | null } | { readonly isRunning: true }

const path = (id: string, rest = "") => `/api/crons/${encodeURIComponent(id)}${rest}`

/** The scheduled jobs, kept current by the gateway's `cron` events, and what can be done with them. */
export class CronsStore {
  readonly jobs: LiveQuery<ReadonlyArray<CronJob>>
  /** The zone for schedules without one: the server's. */
  readonly zone = createObservable(ownZone())
  /** Hidden jobs whose deletion can still be undone. */
  readonly hidden = createObservable<ReadonlySet<string>>(new Set())
  private readonly client: Client
  private readonly histories = new Map<string, LiveQuery<ReadonlyArray<CronRun>>>()

  constructor(client: Client, now: () => number = Date.now) {
    this.client = client
    this.jobs = new LiveQuery({
      now,
      load: () => client.api.request("GET", "/api/crons", readJobs),
      sources: [
        gatewayEvent(client.link, "cron"),
        gatewayBack(client),
        streamBack(client.events),
        () => this.markRuns(),
        () => this.askZone()
      ]
    })
  }

  /** A job's recent runs; created once, kept current by the job's own events. */
  history(id: string): LiveQuery<ReadonlyArray<CronRun>> {
    const known = this.histories.get(id)
    if (known !== undefined) return known
    const { api, link } = this.client
    const query = new LiveQuery({
      now: Date.now,
      load: () => api.request("GET", path(id, "/runs"), readRuns),
      sources: [
        (changed) =>
          link.onEvent(({ event, payload }) => {
            const { jobId, action } = fieldsOf(payload)
            if (event === "cron" && jobId === id && action === "finished") changed()
          }),
        gatewayBack(this.client)
      ]
    })
    this.histories.set(id, query)
    return query
  }

  /** Runs a job now and waits for its end; `whenEnded` waits for one that takes longer. */
  async run(id: string): Promise<ActionResult<BegunRun>> {
    const begun = (body: unknown): BegunRun =>
      fieldsOf<UnfinishedCronRun>(body).running === true
        ? { isRunning: true }
        : { isRunning: false, run: readRun(body) }
    const result = await this.client.api.request("POST", path(id, "/run"), begun, { timeoutMs: RUN_LIMIT_MS })
    void this.jobs.refresh()
    return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
  }

  /** Reports once how a job's current run ends. */
  whenEnded(id: string, told: (run: CronRun | null) => void): void {
    const stop = this.client.link.onEvent(({ event, payload }) => {
      const { jobId, action } = fieldsOf(payload)
      if (event !== "cron" || jobId !== id || action !== "finished") return
      stop()
      told(readRun(payload))
    })
  }

  /** Turns a job on or off; shown at once, reverted if it fails. */
  async setEnabled(id: string, enabled: boolean): Promise<ActionResult> {
    const show = (shown: boolean) => this.replace(id, (job) => ({ ...job, enabled: shown }))
    show(enabled)
    const result = await this.client.api.request("POST", path(id, "/toggle"), readJob, { body: { enabled } })
    if (!result.ok) show(!enabled)
    return this.settled(result)
  }

  async create(job: object): Promise<ActionResult<CronJob>> {
    const result = await this.client.api.request("POST", "/api/crons", readJob, { body: { job } })
    await this.jobs.refresh()
    return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
  }

  /** Returns the job as the gateway stores it from now on. */
  async update(id: string, patch: object): Promise<ActionResult<CronJob>> {
    const result = await this.client.api.request("PATCH", path(id), readJob, { body: { patch } })
    await this.jobs.refresh()
    return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
  }

  async remove(id: string): Promise<ActionResult> {
    const result = await this.client.api.request("DELETE", path(id), () => true)
    if (result.ok) this.jobs.patch((jobs) => jobs.filter((job) => job.id !== id))
    return this.settled(result)
  }

  /** Hides a job; nothing is deleted yet. */
  hide(id: string): void {
    this.hidden.set(new Set([...this.hidden.get(), id]))
  }

  unhide(id: string): void {
    this.hidden.set(new Set([...this.hidden.get()].filter((hidden) => hidden !== id)))
  }

  private async settled(result: ApiResult<unknown>): Promise<ActionResult> {
    await this.jobs.refresh()
    return result.ok ? { ok: true, value: true } : { ok: false, message: result.error.message }
  }

  private replace(id: string, change: (job: CronJob) => CronJob): void {
    this.jobs.patch((jobs) => jobs.map((job) => (job.id === id ? change(job) : job)))
  }

  /** A run's start or end is shown before the list is requested again. */
  private markRuns(): () => void {
    return this.client.link.onEvent(({ event, payload }) => {
      const { jobId, action, runAtMs } = fieldsOf(payload)
      const id = textOf(jobId)
      if (event !== "cron" || id === null) return
      if (action === "started") this.replace(id, (job) => ({ ...job, runningSince: numberOf(runAtMs) ?? Date.now() }))
      if (action === "finished") this.replace(id, (job) => ({ ...job, runningSince: null }))
    })
  }

  private askZone(): () => void {
    void this.client.api.serverInfo().then((info) => {
      if (info.ok) this.zone.set(info.value.timezone)
    })
    return () => {}
  }
}

const stores = new WeakMap<Client, CronsStore>()

/** A console's store, created on first use. */
export const cronsStore = (client: Client): CronsStore => {
  const store = stores.get(client) ?? new CronsStore(client)
  stores.set(client, store)
  return store
}
