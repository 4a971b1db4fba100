import { closeSync, fdatasync, fstatSync, openSync } from "node:fs"
import { Context, Deferred, Effect } from "effect"

/** Asks the system to write a file's changes to the disk; `done` hears of it. */
export type SyncFile = (file: number, done: (problem: Error | null) => void) => void

/** How files are synced; tests have slow disks, broken ones, and one that keeps step with their clock. */
export const DiskSync = Context.Reference<SyncFile>("agent-console/services/platform/sqlite/DiskSync", {
  defaultValue: () => fdatasync
})

/**
 * One sync for all that ask before it begins; those that ask while it runs share the next one. It runs in the thread
 * pool, so a disk on which it takes seconds stops only those that wait for it.
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

/** The log of an open database. It carries no locks, so that closing a handle of our own releases none of SQLite's. */
export const openLog = (database: string, syncFile: SyncFile) =>
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
