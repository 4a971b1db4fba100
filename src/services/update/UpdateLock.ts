import { posix } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Clock, Context, Effect, FileSystem, Layer, Option, type Path, Schema, type Scope } from "effect"
import { createFileAtomic } from "../files/atomicFile.ts"
import { Processes } from "./Processes.ts"
import { UpdateFailure } from "./UpdateFailure.ts"
import { UpdateTarget } from "./UpdateTarget.ts"
import { LockHolder } from "./updateState.ts"

export interface UpdateLockShape {
  /** Holds the lock until the scope closes; a lock whose process is dead is taken over. */
  readonly hold: Effect.Effect<void, UpdateFailure, Scope.Scope>
}

const NAME = "update.lock"
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** How long others may take to look at a lock and replace it, in milliseconds. */
const GUARD_PATIENCE_MS = 5000
const SQLITE_BUSY = 5

const decodeHolder = Schema.decodeUnknownOption(Schema.fromJsonString(LockHolder))

const refuse = (message: string) => new UpdateFailure({ step: "lock", message })

const unwritable = () =>
  refuse(
    "the lock in the console's updater folder cannot be made: is the disk full, or does the folder belong to someone else?"
  )

/**
 * A lock of the operating system around looking at the lock file and replacing it, so that of many who find a stale one
 * exactly one takes it over. It ends with the process, however that ends.
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
          ? refuse("another update is starting at this moment: try again when it is done")
          : unwritable()
    }),
    (guard) => Effect.sync(() => guard.close())
  )

/** One update at a time, by a PID lock file in `{svc_home}/updater/` (SPEC "Update command"). */
export class UpdateLock extends Context.Service<UpdateLock, UpdateLockShape>()(
  "agent-console/services/update/UpdateLock"
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
          return yield* refuse(`another update is running (process ${holder.value.pid}): wait until it is done`)
        }
        yield* fs.remove(lock, { force: true }).pipe(Effect.mapError(unwritable))
      })

      const acquire = Effect.gen(function* () {
        yield* fs.makeDirectory(folder, { recursive: true, mode: PRIVATE_FOLDER }).pipe(Effect.mapError(unwritable))
        yield* guarded(posix.join(folder, "guard.db"))
        yield* removeStale
        const own = yield* processes.own
        const holder: LockHolder = { ...own, since: yield* Clock.currentTimeMillis }
        const isMine = yield* createFileAtomic(lock, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE }).pipe(
          Effect.provideContext(platform),
          Effect.mapError(unwritable)
        )
        if (!isMine) return yield* refuse("another update has just begun: wait until it is done")
      }).pipe(Effect.scoped)

      return UpdateLock.of({
        hold: Effect.acquireRelease(acquire, () => Effect.ignore(fs.remove(lock, { force: true })))
      })
    })
  )
}
