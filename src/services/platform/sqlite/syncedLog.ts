import { Effect, FiberHandle, Option } from "effect"
import { makeSingleFlight } from "../singleFlight.ts"
import { makeStoreThread } from "../thread/storeThread.ts"
import type { Checkpoints } from "./checkpointThread.ts"
import { type Database, type DatabaseOptions, identityOf, LOG_BYTES } from "./openDatabase.ts"
import { DiskSync, openLog } from "./openLog.ts"
import { type StoreFault, unsyncedFile } from "./storeFault.ts"

/** In the sources, the thread's file is next to this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./checkpointThread.ts" : "../checkpointThread.js",
  import.meta.url
)

/**
 * Takes SQLite's waiting for the disk off the event loop: its commits only write to the log, and the effect waits until
 * what was committed before is on the disk. Readers may see a change in the moment before. `alone` keeps transactions
 * waiting meanwhile: the event loop would sync the head of a log that it begins itself.
 *
 * A database without a log of its own, as one in memory, is left as it is.
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
   * After a sync that failed, the system takes what it didn't write for written, so that the next sync says nothing.
   * What is in the log counts as synced only once it's in the database.
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
        // Somebody who is in the way is asked again once the log has grown further.
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

  const mend = yield* makeSingleFlight(
    Effect.flatMap(checkpoint, (isWhole) => {
      isTorn = !isWhole
      return isWhole ? Effect.void : Effect.fail("the log couldn't be brought into the database")
    })
  )
  const mended = (problem: unknown) => Effect.mapError(mend, (): StoreFault => unsyncedFile(what, problem))
  return synced.pipe(
    Effect.andThen(Effect.suspend(() => (isTorn ? Effect.fail("an earlier sync failed") : Effect.void))),
    Effect.catch(mended),
    Effect.andThen(shrink)
  )
})
