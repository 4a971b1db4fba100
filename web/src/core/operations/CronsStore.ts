import { fieldsOf, numberOf, textOf } from "../decode.ts"
import { Observable } from "../Observable.ts"
import type { ActionResult, ApiResult, Console } from "../types.ts"
import { type CronJob, type CronRun, readJob, readJobs, readRun, readRuns } from "./cronJobs.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { gatewayBack, gatewayEvent, streamBack } from "./sources.ts"
import { ownZone } from "./ZoneClock.ts"

/** The server waits 60 s for a run's end (SPEC "Sizes and counts"). */
const RUN_LIMIT_MS = 70_000

const path = (id: string, rest = "") => `/api/crons/${encodeURIComponent(id)}${rest}`

/** The scheduled jobs, kept in step by the gateway's `cron` events, and what can be done with them. */
export class CronsStore {
  readonly jobs: LiveQuery<ReadonlyArray<CronJob>>
  /** The zone in which schedules without one are meant: the server's. */
  readonly zone = new Observable(ownZone())
  /** Jobs that are off the screen while their deletion can be undone. */
  readonly hidden = new Observable<ReadonlySet<string>>(new Set())
  private readonly console: Console
  private readonly histories = new Map<string, LiveQuery<ReadonlyArray<CronRun>>>()

  constructor(console: Console, now: () => number = Date.now) {
    this.console = console
    this.jobs = new LiveQuery({
      now,
      load: () => console.api.request("GET", "/api/crons", readJobs),
      sources: [
        gatewayEvent(console.link, "cron"),
        gatewayBack(console),
        streamBack(console.events),
        () => this.markRuns(),
        () => this.askZone()
      ]
    })
  }

  /** The last runs of a job; made once, kept in step by the job's own events. */
  history(id: string): LiveQuery<ReadonlyArray<CronRun>> {
    const known = this.histories.get(id)
    if (known !== undefined) return known
    const { api, link } = this.console
    const query = new LiveQuery({
      now: Date.now,
      load: () => api.request("GET", path(id, "/runs"), readRuns),
      sources: [
        (changed) =>
          link.onEvent(({ event, payload }) => {
            const { jobId, action } = fieldsOf(payload)
            if (event === "cron" && jobId === id && action === "finished") changed()
          }),
        gatewayBack(this.console)
      ]
    })
    this.histories.set(id, query)
    return query
  }

  /** Runs a job now and waits for its end. */
  async run(id: string): Promise<ActionResult<CronRun | null>> {
    const result = await this.console.api.request("POST", path(id, "/run"), (body) => ({ run: readRun(body) }), {
      timeoutMs: RUN_LIMIT_MS
    })
    void this.jobs.refresh()
    return result.ok ? { ok: true, value: result.value.run } : { ok: false, message: result.error.message }
  }

  /** Switches a job on or off; shown at once, put back when it did not work. */
  async setEnabled(id: string, enabled: boolean): Promise<ActionResult> {
    const show = (shown: boolean) => this.replace(id, (job) => ({ ...job, enabled: shown }))
    show(enabled)
    const result = await this.console.api.request("POST", path(id, "/toggle"), readJob, { body: { enabled } })
    if (!result.ok) show(!enabled)
    return this.settled(result)
  }

  async create(job: object): Promise<ActionResult<CronJob>> {
    const result = await this.console.api.request("POST", "/api/crons", readJob, { body: { job } })
    await this.jobs.refresh()
    return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
  }

  /** Answers the job as the gateway keeps it from now on. */
  async update(id: string, patch: object): Promise<ActionResult<CronJob>> {
    const result = await this.console.api.request("PATCH", path(id), readJob, { body: { patch } })
    await this.jobs.refresh()
    return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
  }

  async remove(id: string): Promise<ActionResult> {
    const result = await this.console.api.request("DELETE", path(id), () => true)
    if (result.ok) this.jobs.patch((jobs) => jobs.filter((job) => job.id !== id))
    return this.settled(result)
  }

  /** Takes a job off the screen; nothing is deleted yet. */
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

  /** A run that begins or ends is shown before the list has been asked for. */
  private markRuns(): () => void {
    return this.console.link.onEvent(({ event, payload }) => {
      const { jobId, action, runAtMs } = fieldsOf(payload)
      const id = textOf(jobId)
      if (event !== "cron" || id === null) return
      if (action === "started") this.replace(id, (job) => ({ ...job, runningSince: numberOf(runAtMs) ?? Date.now() }))
      if (action === "finished") this.replace(id, (job) => ({ ...job, runningSince: null }))
    })
  }

  private askZone(): () => void {
    void this.console.api.serverInfo().then((info) => {
      if (info.ok) this.zone.set(info.value.timezone)
    })
    return () => {}
  }
}

const stores = new WeakMap<Console, CronsStore>()

/** The store of a console, made on first use. */
export const cronsStore = (console: Console): CronsStore => {
  const store = stores.get(console) ?? new CronsStore(console)
  stores.set(console, store)
  return store
}
