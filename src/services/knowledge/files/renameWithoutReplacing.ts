import { link, rename, unlink } from "node:fs/promises"
import { Effect } from "effect"
import { failure } from "../../../contract/failures.ts"
import { attempt, FileConflict } from "../../platform/storage/fileErrors.ts"
import { type HeldEntry, infoOf, requireEntry } from "./GuardedRoot.ts"

/**
 * Moves an entry to an unused name. A file is linked there first, which fails if the name exists; a folder can only
 * replace an empty folder.
 */
export const renameWithoutReplacing = Effect.fnUntraced(function* (from: HeldEntry, to: HeldEntry) {
  const info = yield* requireEntry(from)
  const taken = yield* infoOf(to)
  if (taken !== undefined) {
    // The same file with different letter case, on a case-insensitive disk: only its name changes.
    const isSame = from.real !== to.real && taken.ino === info.ino && taken.dev === info.dev && info.nlink === 1
    if (!isSame) return yield* new FileConflict(failure("NAME_TAKEN_CHOOSE"))
    return yield* attempt(() => rename(from.at, to.at))
  }
  if (!info.isFile()) return yield* attempt(() => rename(from.at, to.at))
  yield* attempt(() => link(from.at, to.at))
  yield* attempt(() => unlink(from.at))
}, Effect.uninterruptible)
