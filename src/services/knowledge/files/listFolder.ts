import type { Dir, Dirent } from "node:fs"
import { opendir } from "node:fs/promises"
import { Effect } from "effect"
import { attempt, fileErrorOf } from "../../platform/storage/fileErrors.ts"

/** Entries read at a time, few enough to block the event loop only for milliseconds. */
const BATCH = 1024

/** A folder's entries in the system's order, and whether there are more than requested. */
export interface FolderListing {
  readonly entries: ReadonlyArray<Dirent>
  readonly isCut: boolean
}

const readUpTo = (folder: Dir, limit: number) =>
  Effect.callback<FolderListing, ReturnType<typeof fileErrorOf>>((resume) => {
    const entries: Array<Dirent> = []
    const next = () =>
      folder.read((error, entry) => {
        if (error !== null) resume(Effect.fail(fileErrorOf(error)))
        else if (entry === null) resume(Effect.succeed({ entries, isCut: false }))
        else if (entries.length >= limit) resume(Effect.succeed({ entries, isCut: true }))
        else {
          entries.push(entry)
          next()
        }
      })
    next()
  })

/** Reads at most `limit` entries of a folder without blocking the event loop, however many there are. */
export const listFolder = (at: string, limit: number) =>
  Effect.acquireUseRelease(
    attempt(() => opendir(at, { bufferSize: BATCH })),
    (folder) => Effect.uninterruptible(readUpTo(folder, limit)),
    (folder) => Effect.ignore(attempt(() => folder.close()))
  )
