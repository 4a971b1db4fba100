import { CRON_RUN_LIMIT_MS } from "../../../../src/contract/limits.ts"
import { fieldsOf, numberOf, textOf } from "../../../../src/contract/looseFields.ts"
import type { CronRunList, StartedCronRun } from "../../../../src/contract/schema/gateway.ts"
import type { Client } from "../client/Client.ts"
import { ownZone } from "../common/dateText.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiResult } from "../link/apiTypes.ts"
import { type CronJob, type CronRun, readJob, readJobs, readRun, readRuns } from "./cronJobs.ts"
import { createLiveQuery, type LiveQuery } from "./LiveQuery.ts"
import { gatewayBack, gatewayEvent, streamBack } from "./sources.ts"

type Runs = CronRunList

/** Longer than the server waits for a run's end. */
const RUN_LIMIT_MS = CRON_RUN_LIMIT_MS + 10_000

/** A started run: its end, or that it is still running. */
export type BegunRun = { readonly isRunning: false; readonly run: CronRun | null } | { readonly isRunning: true }

const path = (id: string, rest = "") => `/api/crons/${encodeURIComponent(id)}${rest}`

export interface CronsStore {
  readonly jobs: LiveQuery<ReadonlyArray<CronJob>>
  /** The zone for schedules without one: the server's. */
  readonly zone: Readable<string>
  /** Hidden jobs whose deletion can still be undone. */
  readonly hidden: Readable<ReadonlySet<string>>
  /** A job's recent runs; created once, kept current by the job's own events. */
  history(id: string): LiveQuery<ReadonlyArray<CronRun>>
  /** Runs a job now and waits for its end; `whenEnded` waits for one that takes longer. */
  run(id: string): Promise<ActionResult<BegunRun>>
  /** Reports once how a job's current run ends. */
  whenEnded(id: string, onEnd: (run: CronRun | null) => void): void
  /** Turns a job on or off; shown at once, reverted if it fails. */
  setEnabled(id: string, enabled: boolean): Promise<ActionResult>
  create(job: object): Promise<ActionResult<CronJob>>
  /** Returns the job as the gateway stores it from now on. */
  update(id: string, patch: object): Promise<ActionResult<CronJob>>
  remove(id: string): Promise<ActionResult>
  /** Hides a job; nothing is deleted yet. */
  hide(id: string): void
  unhide(id: string): void
}

/** The scheduled jobs, kept current by the gateway's `cron` events, and what can be done with them. */
export function createCronsStore(client: Client, now: () => number = Date.now): CronsStore {
  const zone = createObservable(ownZone())
  const hidden = createObservable<ReadonlySet<string>>(new Set())
  const histories = new Map<string, LiveQuery<ReadonlyArray<CronRun>>>()

  async function settled(result: ApiResult<unknown>): Promise<ActionResult> {
    await jobs.refresh()
    return result.ok ? { ok: true, value: true } : { ok: false, message: result.error.message }
  }

  const replace = (id: string, change: (job: CronJob) => CronJob) =>
    jobs.patch((jobs) => jobs.map((job) => (job.id === id ? change(job) : job)))

  /** A run's start or end is shown before the list is requested again. */
  const markRuns = (): (() => void) =>
    client.link.onEvent(({ event, payload }) => {
      const { jobId, action, runAtMs } = fieldsOf(payload)
      const id = textOf(jobId)
      if (event !== "cron" || id === null) return
      if (action === "started") replace(id, (job) => ({ ...job, runningSince: numberOf(runAtMs) ?? Date.now() }))
      if (action === "finished") replace(id, (job) => ({ ...job, runningSince: null }))
    })

  function askZone(): () => void {
    void client.api.serverInfo().then((info) => {
      if (info.ok) zone.set(info.value.timezone)
    })
    return () => {}
  }

  const jobs = createLiveQuery({
    now,
    load: () => client.api.request("GET", "/api/crons", readJobs),
    sources: [
      gatewayEvent(client.link, "cron"),
      gatewayBack(client),
      streamBack(client.events),
      () => markRuns(),
      () => askZone()
    ]
  })

  return {
    jobs,
    zone,
    hidden,
    history: (id) => {
      const known = histories.get(id)
      if (known !== undefined) return known
      const { api, link } = client
      const query = createLiveQuery({
        now: Date.now,
        load: () => api.request("GET", path(id, "/runs"), (runs: Runs) => readRuns(runs, client.gatewayId)),
        sources: [
          (changed) =>
            link.onEvent(({ event, payload }) => {
              const { jobId, action } = fieldsOf(payload)
              if (event === "cron" && jobId === id && action === "finished") changed()
            }),
          gatewayBack(client)
        ]
      })
      histories.set(id, query)
      return query
    },
    run: async (id) => {
      const begun = (answer: StartedCronRun): BegunRun =>
        answer.running === true ? { isRunning: true } : { isRunning: false, run: readRun(answer) }
      const result = await client.api.request("POST", path(id, "/run"), begun, { timeoutMs: RUN_LIMIT_MS })
      void jobs.refresh()
      return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
    },
    whenEnded: (id, onEnd) => {
      const stop = client.link.onEvent(({ event, payload }) => {
        const { jobId, action } = fieldsOf(payload)
        if (event !== "cron" || jobId !== id || action !== "finished") return
        stop()
        onEnd(readRun(payload))
      })
    },
    setEnabled: async (id, enabled) => {
      const show = (shown: boolean) => replace(id, (job) => ({ ...job, enabled: shown }))
      show(enabled)
      const result = await client.api.request("POST", path(id, "/toggle"), readJob, { body: { enabled } })
      if (!result.ok) show(!enabled)
      return settled(result)
    },
    create: async (job) => {
      const result = await client.api.request("POST", "/api/crons", readJob, { body: { job } })
      await jobs.refresh()
      return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
    },
    update: async (id, patch) => {
      const result = await client.api.request("PATCH", path(id), readJob, { body: { patch } })
      await jobs.refresh()
      return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
    },
    remove: async (id) => {
      const result = await client.api.request("DELETE", path(id), () => true)
      if (result.ok) jobs.patch((jobs) => jobs.filter((job) => job.id !== id))
      return settled(result)
    },
    hide: (id) => hidden.set(new Set([...hidden.get(), id])),
    unhide: (id) => hidden.set(new Set([...hidden.get()].filter((hidden) => hidden !== id)))
  }
}

const stores = new WeakMap<Client, CronsStore>()

/** A console's store, created on first use. */
export const cronsStore = (client: Client): CronsStore => {
  const store = stores.get(client) ?? createCronsStore(client)
  stores.set(client, store)
  return store
}
