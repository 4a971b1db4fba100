import { Context, Effect, Layer, Option, PubSub, Schema, Stream } from "effect"
import { GatewayCalls } from "../gateway/GatewayCalls.ts"
import { GatewayError } from "../gateway/GatewayError.ts"
import { CronJobNotFound, InvalidCronJob } from "./cronErrors.ts"
import { gatewayJob, gatewayPatch, isJobId, isMainJob, isQueuedRun, shownJob } from "./cronRules.ts"
import {
  type CronJob,
  type CronJobInput,
  type CronJobPatch,
  CronRun,
  GatewayJob,
  JobPage,
  Removed,
  RunAnswer,
  RunPage
} from "./cronSchemas.ts"

type JobFailure = GatewayError | CronJobNotFound
type ChangeFailure = JobFailure | InvalidCronJob

export interface CronsShape {
  /** Every job, disabled ones included, each once. */
  readonly list: Effect.Effect<ReadonlyArray<CronJob>, GatewayError>
  readonly create: (job: CronJobInput) => Effect.Effect<CronJob, GatewayError | InvalidCronJob>
  readonly patch: (id: string, patch: CronJobPatch) => Effect.Effect<CronJob, ChangeFailure>
  readonly remove: (id: string) => Effect.Effect<void, JobFailure>
  readonly setEnabled: (id: string, enabled: boolean) => Effect.Effect<CronJob, ChangeFailure>
  /** Runs a job at once and waits for its end, at most 60 seconds; a run that failed is an answer, not an error. */
  readonly run: (id: string) => Effect.Effect<CronRun, JobFailure>
  /** The last 10 runs, newest first. */
  readonly runs: (id: string) => Effect.Effect<ReadonlyArray<CronRun>, JobFailure>
}

/** The longest page the gateway gives. */
const PAGE = 200
const RUN_LIMIT = "60 seconds"
/** SPEC "Sizes and counts". */
const HISTORY = 10
/** How often a run is looked for in the history, in case its event was missed. */
const LOOK_EVERY = "5 seconds"

const isFound = (run: Option.Option<CronRun>): run is Option.Some<CronRun> => Option.isSome(run)

const decodeRun = Schema.decodeUnknownOption(CronRun)

const stillRunning = new GatewayError({
  reason: "timeout",
  message: "The job is still running after 60 seconds and goes on: its last runs will show how it ends."
})

const notStarted = (reason: string | undefined) =>
  new GatewayError({
    reason: "failed",
    message:
      reason === "already-running"
        ? "The job is already running: wait until it has ended."
        : "The gateway did not start the job: check that its schedule is on, and the gateway's log."
  })

const isUnknown = (error: GatewayError) => error.code === "CRON_JOB_NOT_FOUND"

const whereKnown =
  (id: string) =>
  <A>(call: Effect.Effect<A, GatewayError>): Effect.Effect<A, JobFailure> =>
    Effect.mapError(call, (error) => (isUnknown(error) ? new CronJobNotFound({ id }) : error))

const badSchedule = <A, E>(
  call: Effect.Effect<A, E | GatewayError>
): Effect.Effect<A, E | GatewayError | InvalidCronJob> =>
  Effect.mapError(call, (error) =>
    error instanceof GatewayError && error.code === "CRON_EXPRESSION"
      ? new InvalidCronJob({ details: `schedule: ${error.message}` })
      : error
  )

/** The gateway's scheduled jobs (SPEC "Cron jobs", D62). */
export class Crons extends Context.Service<Crons, CronsShape>()("agent-console/services/crons/Crons") {
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
          .pipe(whereKnown(id), badSchedule, Effect.map(shownJob))

      const entries = (id: string) =>
        gateway.request("cron.runs", { id, limit: HISTORY }, RunPage).pipe(
          whereKnown(id),
          Effect.map((page) => page.entries.slice(0, HISTORY))
        )

      const create = Effect.fn("Crons.create")((job: CronJobInput) =>
        gateway.request("cron.add", gatewayJob(job), GatewayJob).pipe(badSchedule, Effect.map(shownJob))
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
        const { removed } = yield* gateway.request("cron.remove", { id }, Removed).pipe(whereKnown(id))
        if (removed === false) return yield* new CronJobNotFound({ id })
      })

      const run = Effect.fn("Crons.run")(
        function* (id: string) {
          yield* known(id)
          const events = yield* gateway.events
          const queued = yield* gateway.request("cron.run", { id, mode: "force" }, RunAnswer).pipe(whereKnown(id))
          if (queued.ran === false) return yield* notStarted(queued.reason)
          const told = PubSub.take(events).pipe(
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
          const { job: _, ...ended } = (yield* Effect.raceFirst(told, found)).value
          return ended
        },
        Effect.scoped,
        Effect.timeoutOrElse({ duration: RUN_LIMIT, orElse: () => Effect.fail(stillRunning) })
      )

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
