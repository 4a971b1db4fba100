import { closeSync, fdatasync, fstatSync, openSync } from "node:fs"
import { Context, Deferred, Effect, FiberHandle, Option } from "effect"
import { makeSingleFlight } from "../singleFlight.ts"
import { makeStoreThread } from "../thread/storeThread.ts"
import type { Checkpoints } from "./checkpointThread.ts"
import { type Database, type DatabaseOptions, identityOf, LOG_BYTES } from "./openDatabase.ts"
import { type StoreFault, unsyncedFile } from "./storeFault.ts"

/** Writes a file's changes to the disk, then calls `done`. */
export type SyncFile = (file: number, done: (problem: Error | null) => void) => void

/** How files are synced; tests replace it with slow and failing disks. */
export const DiskSync = Context.Reference<SyncFile>("agent-console/services/platform/sqlite/DiskSync", {
  defaultValue: () => fdatasync
})

/**
 * Callers before the start of a sync share it; those that come while it runs share the next one. It runs in the thread
 * pool, so a slow disk only delays those that wait for it.
 */
const groupSync = (sync: (done: (problem: Error | null) => void) => void): Effect.Effect<void, Error> => {
  let isRunning = false
  let next: Deferred.Deferred<void, Error> | undefined
  const begin = (): void => {
    const group = next
    next = undefined
    isRunning = group !== undefined
    if (group === undefined) return
    sync((problem) => {
      Deferred.doneUnsafe(group, problem === null ? Effect.void : Effect.fail(problem))
      begin()
    })
  }
  return Effect.suspend(() => {
    next ??= Deferred.makeUnsafe()
    const mine = next
    if (!isRunning) begin()
    return Deferred.await(mine)
  })
}

/** The log of an open database. SQLite doesn't lock it, so closing another handle releases no lock. */
const openLog = (database: string, syncFile: SyncFile) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try(() => {
        const file = openSync(`${database}-wal`, "r+")
        return { file, synced: groupSync((done) => syncFile(file, done)) }
      }),
      // A sync that is still running must not find another file under its number.
      ({ file, synced }) =>
        Effect.andThen(
          Effect.exit(synced),
          Effect.sync(() => closeSync(file))
        )
    ),
    ({ file, synced }) => ({ synced, size: () => fstatSync(file).size })
  )

/** In the sources, the thread's file is next to this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./checkpointThread.ts" : "../checkpointThread.js",
  import.meta.url
)

/**
 * Moves SQLite's syncs off the event loop: commits only write to the log, and the returned effect waits until everything
 * committed before is on the disk. Readers may see a change shortly before that. `alone` makes transactions wait during a
 * checkpoint: the first one after a restart of the log would sync its header on the event loop.
 *
 * Does nothing for a database without a log, such as one in memory.
 */
export const syncedLog = Effect.fnUntraced(function* (
  database: Database,
  { path, what }: DatabaseOptions,
  alone: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
) {
  const syncFile = yield* DiskSync
  const file = identityOf(path)
  const thread = yield* makeStoreThread<Checkpoints>({
    name: "checkpoint",
    script: SCRIPT,
    open: () => Effect.void,
    idleFor: "2 seconds"
  })
  /**
   * After a failed sync, the system marks the unwritten pages as clean, so the next sync succeeds without writing them.
   * The log then counts as synced only after a checkpoint.
   */
  let isTorn = false
  const log = yield* Effect.option(
    openLog(path, (handle, done) =>
      syncFile(handle, (problem) => {
        isTorn ||= problem !== null
        done(problem)
      })
    )
  )
  if (file === undefined || Option.isNone(log)) return Effect.void
  const { size, synced } = log.value
  database.read((db) => {
    db.run("PRAGMA synchronous = NORMAL")
    db.get("PRAGMA wal_autocheckpoint = 0")
  })

  let mostBytes = LOG_BYTES
  const checkpoint = alone(thread.ask("checkpoint", path, what, file)).pipe(
    Effect.tap((isWhole) =>
      Effect.sync(() => {
        // If another connection prevented it, retry once the log has grown further.
        mostBytes = Math.max(LOG_BYTES, size() + (isWhole ? 0 : LOG_BYTES))
      })
    )
  )
  const checkpoints = yield* FiberHandle.make()
  const shrink = Effect.suspend(() =>
    size() <= mostBytes
      ? Effect.void
      : FiberHandle.run(checkpoints, Effect.ignore(checkpoint, { log: "Warn" }), { onlyIfMissing: true })
  )

  const repair = yield* makeSingleFlight(
    Effect.flatMap(checkpoint, (isWhole) => {
      isTorn = !isWhole
      return isWhole ? Effect.void : Effect.fail("the log couldn't be brought into the database")
    })
  )
  const repaired = (problem: unknown) => Effect.mapError(repair, (): StoreFault => unsyncedFile(what, problem))
  return synced.pipe(
    Effect.andThen(Effect.suspend(() => (isTorn ? Effect.fail("an earlier sync failed") : Effect.void))),
    Effect.catch(repaired),
    Effect.andThen(shrink)
  )
})
