import { Context, Effect, Layer, Option, PubSub, Schema, Stream } from "effect"
import { failure } from "../../../contract/failures.ts"
import { CRON_RUN_LIMIT_MS } from "../../../contract/limits.ts"
import { type CronJob, CronRun, type UnfinishedCronRun } from "../../../contract/schema/gateway.ts"
import { GatewayCalls } from "../client/GatewayCalls.ts"
import { GatewayError, refusedAs } from "../client/GatewayError.ts"
import { gatewayJob, gatewayPatch, isJobId, isMainJob, isQueuedRun, shownJob } from "./cronRules.ts"
import {
  type CronJobInput,
  CronJobNotFound,
  type CronJobPatch,
  CronJobRunning,
  GatewayJob,
  InvalidCronJob,
  JobPage,
  Removed,
  RunAnswer,
  RunPage,
  TooManyCronChanges
} from "./cronSchemas.ts"

type JobFailure = GatewayError | CronJobNotFound
type ChangeFailure = JobFailure | InvalidCronJob | TooManyCronChanges

export interface CronsShape {
  /** All jobs, including disabled ones, each once. */
  readonly list: Effect.Effect<ReadonlyArray<CronJob>, GatewayError>
  readonly create: (job: CronJobInput) => Effect.Effect<CronJob, GatewayError | InvalidCronJob | TooManyCronChanges>
  readonly patch: (id: string, patch: CronJobPatch) => Effect.Effect<CronJob, ChangeFailure>
  readonly remove: (id: string) => Effect.Effect<void, JobFailure | TooManyCronChanges>
  readonly setEnabled: (id: string, enabled: boolean) => Effect.Effect<CronJob, ChangeFailure>
  /** Runs a job now and waits up to 60 seconds for it to finish; a failed or unfinished run isn't an error. */
  readonly run: (
    id: string
  ) => Effect.Effect<CronRun | UnfinishedCronRun, JobFailure | CronJobRunning | TooManyCronChanges>
  /** The last 10 runs, newest first. */
  readonly runs: (id: string) => Effect.Effect<ReadonlyArray<CronRun>, JobFailure>
}

/** The gateway's largest page size. */
const PAGE = 200
/** How many of a job's runs are shown. */
const HISTORY = 10
/** How often to look for a run in the history, in case its event was missed. */
const LOOK_EVERY = "5 seconds"

const isFound = (run: Option.Option<CronRun>): run is Option.Some<CronRun> => Option.isSome(run)

const decodeRun = Schema.decodeUnknownOption(CronRun)

const GOES_ON = "The job is still running after 60 seconds. Its run history will show how it ends."

const unfinished = (jobId: string, { runId }: RunAnswer): UnfinishedCronRun => ({
  jobId,
  running: true,
  details: GOES_ON,
  ...(runId === undefined ? {} : { runId })
})

const notStarted = new GatewayError({
  reason: "failed",
  ...failure("JOB_NOT_STARTED")
})

const isUnknown = (error: GatewayError) => error.code === "CRON_JOB_NOT_FOUND"

const whereKnown =
  (id: string) =>
  <A>(call: Effect.Effect<A, GatewayError>): Effect.Effect<A, JobFailure> =>
    Effect.mapError(call, (error) => (isUnknown(error) ? new CronJobNotFound({ id }) : error))

/** Changes of jobs, of which the newer generation takes 30 a minute. */
const rationed = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | TooManyCronChanges> =>
  Effect.mapError(call, (error) =>
    error instanceof GatewayError && error.code === "RATE_LIMITED" ? new TooManyCronChanges() : error
  )

const refused = refusedAs((why) => new InvalidCronJob(why))

/** The gateway's scheduled jobs. */
export class Crons extends Context.Service<Crons, CronsShape>()("agent-console/services/gateway/crons/Crons") {
  static readonly layer = Layer.effect(
    Crons,
    Effect.gen(function* () {
      const gateway = yield* GatewayCalls

      const list = Stream.paginate(0, (offset: number) =>
        Effect.map(
          gateway.request("cron.list", { includeDisabled: true, limit: PAGE, offset }, JobPage),
          ({ jobs, nextOffset }) => {
            const next = nextOffset ?? offset
            return [jobs, next > offset ? Option.some(next) : Option.none<number>()] as const
          }
        )
      ).pipe(
        Stream.runCollect,
        Effect.map((jobs) => [...new Map(jobs.map((job) => [job.id, job])).values()])
      )

      const find = Effect.fnUntraced(function* (id: string) {
        const job = (yield* list).find((candidate) => candidate.id === id)
        return job ?? (yield* new CronJobNotFound({ id }))
      })

      const known = Effect.fnUntraced(function* (id: string) {
        if (!isJobId(id)) return yield* new CronJobNotFound({ id })
      })

      const update = (id: string, patch: object) =>
        gateway
          .request("cron.update", { id, patch }, GatewayJob)
          .pipe(whereKnown(id), refused, rationed, Effect.map(shownJob))

      const entries = (id: string) =>
        gateway.request("cron.runs", { id, limit: HISTORY }, RunPage).pipe(
          whereKnown(id),
          Effect.map((page) => page.entries.slice(0, HISTORY))
        )

      const create = Effect.fn("Crons.create")((job: CronJobInput) =>
        gateway.request("cron.add", gatewayJob(job), GatewayJob).pipe(refused, rationed, Effect.map(shownJob))
      )

      const patch = Effect.fn("Crons.patch")(function* (id: string, changes: CronJobPatch) {
        yield* known(id)
        const isMain = changes.prompt !== undefined && isMainJob(yield* find(id))
        return yield* update(id, gatewayPatch(changes, isMain))
      })

      const setEnabled = Effect.fn("Crons.setEnabled")(function* (id: string, enabled: boolean) {
        yield* known(id)
        return yield* update(id, { enabled })
      })

      const remove = Effect.fn("Crons.remove")(function* (id: string) {
        yield* known(id)
        const { removed } = yield* gateway.request("cron.remove", { id }, Removed).pipe(whereKnown(id), rationed)
        if (removed === false) return yield* new CronJobNotFound({ id })
      })

      const run = Effect.fn("Crons.run")(function* (id: string) {
        yield* known(id)
        const events = yield* gateway.events
        const queued = yield* gateway
          .request("cron.run", { id, mode: "force" }, RunAnswer)
          .pipe(whereKnown(id), rationed)
        if (queued.ran === false)
          return yield* queued.reason === "already-running" ? new CronJobRunning({ id }) : notStarted
        const reported = PubSub.take(events).pipe(
          Effect.map(({ event, payload }) => (event === "cron" ? decodeRun(payload) : Option.none<CronRun>())),
          Effect.map(
            Option.filter((ended) => ended.action === "finished" && ended.jobId === id && isQueuedRun(queued, ended))
          ),
          Effect.repeat({ until: isFound })
        )
        const found = entries(id).pipe(
          Effect.map((all) => Option.fromUndefinedOr(all.find((entry) => isQueuedRun(queued, entry)))),
          Effect.orElseSucceed(() => Option.none<CronRun>()),
          Effect.delay(LOOK_EVERY),
          Effect.repeat({ until: isFound })
        )
        const end = yield* Effect.timeoutOption(Effect.raceFirst(reported, found), CRON_RUN_LIMIT_MS)
        if (Option.isNone(end)) return unfinished(id, queued)
        const { job: _, ...ended } = end.value.value
        return ended
      }, Effect.scoped)

      const runs = Effect.fn("Crons.runs")(function* (id: string) {
        yield* known(id)
        const found = yield* entries(id)
        if (found.length === 0) yield* find(id)
        return found
      })

      return Crons.of({
        list: Effect.map(list, (jobs) => jobs.map(shownJob)),
        create,
        patch,
        remove,
        setEnabled,
        run,
        runs
      })
    })
  )
}
