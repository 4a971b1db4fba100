import { Clock, Context, Effect, Layer, Ref } from "effect"
import { Commands } from "./Commands.ts"
import { UpdateFiles } from "./UpdateFiles.ts"
import { UpdateReport } from "./UpdateReport.ts"
import type { LastRun } from "./updateState.ts"

export interface UpdateJournalShape {
  /** Starts the record of a run that's about to change things; the first entry must reach the disk. */
  readonly begin: (
    run: Pick<LastRun, "kind" | "from" | "to" | "snapshot" | "phase" | "isWhole">
  ) => Effect.Effect<void, { readonly message: string }>
  /** Records the next step. */
  readonly phase: (phase: string) => Effect.Effect<void>
  readonly end: (outcome: LastRun["outcome"], message?: string) => Effect.Effect<void>
}

/** A run's progress, always on disk, so that the next run knows where this one was interrupted. */
export class UpdateJournal extends Context.Service<UpdateJournal, UpdateJournalShape>()(
  "agent-console/services/machine/update/UpdateJournal"
) {
  static readonly layer = Layer.effect(
    UpdateJournal,
    Effect.gen(function* () {
      const files = yield* UpdateFiles
      const report = yield* UpdateReport
      const commands = yield* Commands
      const current = yield* Ref.make<LastRun | undefined>(undefined)
      const hasWarned = yield* Ref.make(false)

      // The run continues, or rolls back, even if the disk is full.
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
