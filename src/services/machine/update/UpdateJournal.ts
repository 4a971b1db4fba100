import { homedir } from "node:os"
import { posix } from "node:path"
import { Clock, Context, DateTime, Effect, FileSystem, Layer, Ref } from "effect"
import { Commands } from "./Commands.ts"
import { type LastRun, UpdateFiles } from "./UpdateFiles.ts"
import { UpdateReport } from "./UpdateReport.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

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

interface UpdateLogShape {
  /** Starts a run's log; the previous run's log is kept next to it. */
  readonly begin: Effect.Effect<void>
  /** Its location, for people. */
  readonly name: string
}

const NAME = "update.log"
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** How many characters of one run are kept: a runaway build must not fill the disk. */
const MOST = 8 * 1024 * 1024

const withoutPasswords = (text: string) => text.replace(/\/\/[^/@\s]+@/g, "//")

/** All output of an update's programs, for when the lines on screen aren't enough. */
export class UpdateLog extends Context.Service<UpdateLog, UpdateLogShape>()(
  "agent-console/services/machine/update/UpdateLog"
) {
  static readonly layer = Layer.effect(
    UpdateLog,
    Effect.gen(function* () {
      const { svcHome } = yield* UpdateTarget
      const commands = yield* Commands
      const fs = yield* FileSystem.FileSystem
      const folder = posix.join(svcHome, "updater")
      const file = posix.join(folder, NAME)
      const home = posix.join(homedir(), "/")
      const written = yield* Ref.make(0)

      const append = Effect.fnUntraced(function* (text: string) {
        if ((yield* Ref.get(written)) >= MOST) return
        yield* Ref.update(written, (length) => length + text.length)
        // The update continues even without a log.
        yield* Effect.ignore(fs.writeFileString(file, withoutPasswords(text), { flag: "a", mode: PRIVATE_FILE }))
      })

      const begin = Effect.gen(function* () {
        yield* Effect.ignore(fs.rename(file, `${file}.1`))
        yield* Effect.ignore(fs.makeDirectory(folder, { recursive: true, mode: PRIVATE_FOLDER }))
        yield* append(`${DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))}\n`)
        yield* commands.onOutput(append)
      })

      return UpdateLog.of({
        begin,
        name: file.startsWith(home) ? `~/${file.slice(home.length)}` : `${NAME} in the console's updater folder`
      })
    })
  )
}
