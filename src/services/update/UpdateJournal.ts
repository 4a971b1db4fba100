import { Clock, Context, Effect, Layer, Ref } from "effect"
import { Commands } from "./Commands.ts"
import { UpdateFiles } from "./UpdateFiles.ts"
import { UpdateReport } from "./UpdateReport.ts"
import type { LastRun } from "./updateState.ts"

export interface UpdateJournalShape {
  /** Begins the record of a run that is about to change things; the first line has to reach the disk. */
  readonly begin: (
    run: Pick<LastRun, "kind" | "from" | "to" | "snapshot" | "phase">
  ) => Effect.Effect<void, { readonly message: string }>
  /** Notes what is done next. */
  readonly phase: (phase: string) => Effect.Effect<void>
  readonly end: (outcome: LastRun["outcome"], message?: string) => Effect.Effect<void>
}

/** What a run does, on disk all the time, so that the next one knows where this one was cut off. */
export class UpdateJournal extends Context.Service<UpdateJournal, UpdateJournalShape>()(
  "agent-console/services/update/UpdateJournal"
) {
  static readonly layer = Layer.effect(
    UpdateJournal,
    Effect.gen(function* () {
      const files = yield* UpdateFiles
      const report = yield* UpdateReport
      const commands = yield* Commands
      const current = yield* Ref.make<LastRun | undefined>(undefined)
      const hasWarned = yield* Ref.make(false)

      // On a full disk the run goes on, or back, all the same.
      const save = (run: LastRun) =>
        files
          .saveLastRun(run)
          .pipe(
            Effect.catch(({ message }) =>
              Effect.flatMap(Ref.getAndSet(hasWarned, true), (before) => (before ? Effect.void : report.warn(message)))
            )
          )

      const change = (difference: Partial<LastRun>) =>
        Effect.gen(function* () {
          const run = yield* Ref.get(current)
          if (run === undefined) return
          const next = { ...run, ...difference }
          yield* Ref.set(current, next)
          yield* save(next)
        })

      return UpdateJournal.of({
        begin: Effect.fnUntraced(function* (run) {
          const startedAt = yield* Clock.currentTimeMillis
          const first: LastRun = {
            ...run,
            startedAt,
            finishedAt: null,
            outcome: "running",
            message: null,
            worker: null
          }
          yield* files.saveLastRun(first)
          yield* Ref.set(current, first)
          yield* commands.onStart((worker) => change({ worker }))
        }),
        phase: (phase) => change({ phase }),
        end: Effect.fnUntraced(function* (outcome, message) {
          const finishedAt = yield* Clock.currentTimeMillis
          yield* change({ outcome, finishedAt, message: message ?? null, worker: null })
        })
      })
    })
  )
}
