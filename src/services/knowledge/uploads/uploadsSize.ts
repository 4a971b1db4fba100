import { lstat, rm } from "node:fs/promises"
import { Effect } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import type { GuardedRoot } from "../files/GuardedRoot.ts"
import { listFolder } from "../files/listFolder.ts"

/** The folder of an agent's workspace that has the files people sent. */
export const UPLOADS_FOLDER = "uploads"
const PART = /^\.upload\.[0-9a-f]{12}\.tmp$/
/** The age at which an incomplete file must be from a console that was killed. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000
const MAX_FOLDERS = 5_000
const MAX_FILES = 20_000

/** Returns the bytes of a day's files, and removes abandoned incomplete files. */
const dayOf = Effect.fnUntraced(function* (root: GuardedRoot, day: string, now: number) {
  const folder = yield* root.folder([UPLOADS_FOLDER, day])
  const { entries } = yield* listFolder(folder.at, MAX_FILES)
  let size = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const at = `${folder.at}/${entry.name}`
    const info = yield* Effect.option(attempt(() => lstat(at)))
    if (info._tag === "None") continue
    if (PART.test(entry.name)) {
      if (now - info.value.mtimeMs > LEFT_BEHIND_MS) yield* Effect.ignore(attempt(() => rm(at, { force: true })))
    } else size += info.value.size
  }
  return size
}, Effect.scoped)

/** Returns the bytes of all uploads of an agent, without incomplete files. */
export const uploadsSize = Effect.fn("uploadsSize")(
  function* (root: GuardedRoot, now: number) {
    const top = yield* root.folder([UPLOADS_FOLDER])
    const { entries } = yield* listFolder(top.at, MAX_FOLDERS)
    const days = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const sizes = yield* Effect.forEach(days, (day) => Effect.orElseSucceed(dayOf(root, day, now), () => 0))
    return sizes.reduce((sum, size) => sum + size, 0)
  },
  (counting) => Effect.scoped(counting).pipe(Effect.catchTag("FileMissing", () => Effect.succeed(0)))
)
