import { posix } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Clock, Context, Effect, FileSystem, Layer, Option, type Path, Schema, type Scope } from "effect"
import { createFileAtomic } from "../../platform/storage/atomicFile.ts"
import { Processes } from "./Processes.ts"
import { LockHolder } from "./UpdateFiles.ts"
import { UpdateFailure } from "./UpdateReport.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

export interface UpdateLockShape {
  /** Holds the lock until the scope closes; takes over a lock whose process is dead. */
  readonly hold: Effect.Effect<void, UpdateFailure, Scope.Scope>
}

const NAME = "update.lock"
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** How long others may take to check and replace a lock, in milliseconds. */
const GUARD_PATIENCE_MS = 5000
const SQLITE_BUSY = 5

const decodeHolder = Schema.decodeUnknownOption(Schema.fromJsonString(LockHolder))

const refuse = (message: string) => new UpdateFailure({ step: "lock", message })

const unwritable = () =>
  refuse(
    "couldn't create the lock in the console's updater folder: check whether the disk is full and who owns the folder"
  )

/**
 * An operating-system lock held while checking and replacing the lock file, so that exactly one of several processes
 * takes over a stale lock. It's released when the process ends, however that happens.
 */
const guarded = (path: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const guard = new DatabaseSync(path, { timeout: GUARD_PATIENCE_MS })
        guard.exec("BEGIN EXCLUSIVE")
        return guard
      },
      catch: (cause) =>
        cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY
          ? refuse("another update is just starting: try again when it's done")
          : unwritable()
    }),
    (guard) => Effect.sync(() => guard.close())
  )

/** One update at a time, by a PID lock file in `{svc_home}/updater/`. */
export class UpdateLock extends Context.Service<UpdateLock, UpdateLockShape>()(
  "agent-console/services/machine/update/UpdateLock"
) {
  static readonly layer = Layer.effect(
    UpdateLock,
    Effect.gen(function* () {
      const target = yield* UpdateTarget
      const processes = yield* Processes
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const folder = posix.join(target.svcHome, "updater")
      const lock = posix.join(folder, NAME)

      const removeStale = Effect.gen(function* () {
        const text = yield* fs.readFileString(lock).pipe(Effect.option)
        if (Option.isNone(text)) return
        const holder = decodeHolder(text.value)
        if (Option.isSome(holder) && (yield* processes.isRunning(holder.value))) {
          return yield* refuse(`another update is running (process ${holder.value.pid}): wait until it's done`)
        }
        yield* fs.remove(lock, { force: true }).pipe(Effect.mapError(unwritable))
      })

      const acquire = Effect.gen(function* () {
        yield* fs.makeDirectory(folder, { recursive: true, mode: PRIVATE_FOLDER }).pipe(Effect.mapError(unwritable))
        yield* guarded(posix.join(folder, "guard.db"))
        yield* removeStale
        const mark = yield* processes.current
        const holder: LockHolder = { ...mark, since: yield* Clock.currentTimeMillis }
        const isMine = yield* createFileAtomic(lock, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE }).pipe(
          Effect.provideContext(platform),
          Effect.mapError(unwritable)
        )
        if (!isMine) return yield* refuse("another update has just started: wait until it's done")
      }).pipe(Effect.scoped)

      return UpdateLock.of({
        hold: Effect.acquireRelease(acquire, () => Effect.ignore(fs.remove(lock, { force: true })))
      })
    })
  )
}
