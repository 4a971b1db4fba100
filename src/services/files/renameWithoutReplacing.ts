import { link, rename, unlink } from "node:fs/promises"
import { Effect } from "effect"
import { attempt, FileConflict } from "./fileErrors.ts"
import { type HeldEntry, infoOf, requireEntry } from "./GuardedRoot.ts"

/**
 * Moves an entry to a free name. A file is linked there first, which fails where another process was quicker; a folder
 * cannot replace anything but an empty folder.
 */
export const renameWithoutReplacing = Effect.fnUntraced(function* (from: HeldEntry, to: HeldEntry) {
  const info = yield* requireEntry(from)
  const taken = yield* infoOf(to)
  if (taken !== undefined) {
    // The same file under another spelling, on a disk that takes letter case lightly: only its name changes.
    const isSame = from.real !== to.real && taken.ino === info.ino && taken.dev === info.dev && info.nlink === 1
    if (!isSame) return yield* new FileConflict({ message: "there is already something of that name: choose another" })
    return yield* attempt(() => rename(from.at, to.at))
  }
  if (!info.isFile()) return yield* attempt(() => rename(from.at, to.at))
  yield* attempt(() => link(from.at, to.at))
  yield* attempt(() => unlink(from.at))
}, Effect.uninterruptible)
