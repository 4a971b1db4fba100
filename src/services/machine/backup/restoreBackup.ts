import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises"
import { posix } from "node:path"
import { Clock, DateTime, Effect } from "effect"
import { homeHolder } from "../../platform/settings/consoleHome.ts"
import { BEFORE, linkedPlace, putBack, syncFolder } from "../../platform/settings/putBack.ts"
import { errnoOf } from "../../platform/storage/fileErrors.ts"
import { newerArchive, readArchive, type Unpack } from "./archive.ts"
import { BackupFailure, doing } from "./BackupFailure.ts"
import { FORMAT, restoredPlace, stampOf } from "./backupManifest.ts"
import { removeUnfinished, unfinishedName } from "./unfinished.ts"

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const SECOND = 1000

const refuse = (message: string) => new BackupFailure({ reason: "place", message })

const looking = doing("place", "look at the folder to restore into")

const unlessMissing =
  <B>(otherwise: B) =>
  (cause: unknown): B | Promise<never> =>
    errnoOf(cause) === "ENOENT" ? otherwise : Promise.reject(cause)

/** The folder to be restored, with links resolved; what it's in is created. */
const placeOf = Effect.fnUntraced(function* (into: string) {
  const place = yield* looking(() => Promise.resolve().then(() => linkedPlace(into)))
  const parent = posix.dirname(place)
  yield* doing("place", `create ${parent}`)(() => mkdir(parent, { recursive: true, mode: PRIVATE_FOLDER }))
  return posix.join(yield* looking(() => realpath(parent)), posix.basename(place))
})

/** Refuses a folder that a console runs with, a file, and a folder with something in it unless it may be replaced. */
const checkPlace = Effect.fnUntraced(function* (place: string, replace: boolean) {
  const info = yield* looking(() => stat(place).catch(unlessMissing(undefined)))
  if (info === undefined) return false
  const holder = info.isDirectory() ? yield* homeHolder(place) : undefined
  if (holder !== undefined) {
    return yield* new BackupFailure({
      reason: "inUse",
      message: `${holder} is running with the folder ${place}: stop it first`
    })
  }
  if (!info.isDirectory()) return yield* refuse(`${place} is a file: name a folder`)
  const isFilled = (yield* looking(() => readdir(place))).length > 0
  if (isFilled && !replace) {
    return yield* refuse(
      `the folder ${place} isn't empty: name another one with --into, or pass --replace to put it aside`
    )
  }
  return isFilled
})

/** Writes what comes out of an archive below a folder, private and synced; a file that is there already isn't written over. */
const unpackInto = (folder: string, folders: Set<string>): Unpack => {
  const writing = doing("place", `write into ${posix.dirname(folder)}`)
  return Effect.fnUntraced(function* ({ path }) {
    const file = posix.join(folder, restoredPlace(path))
    const parent = posix.dirname(file)
    yield* writing(() => mkdir(parent, { recursive: true, mode: PRIVATE_FOLDER }))
    for (let at = parent; at.length >= folder.length; at = posix.dirname(at)) folders.add(at)
    const handle = yield* Effect.acquireRelease(
      writing(() => open(file, "wx", PRIVATE_FILE)),
      (opened) => Effect.promise(() => opened.close())
    )
    return { write: (piece) => writing(() => handle.writeFile(piece)), end: writing(() => handle.sync()) }
  })
}

/** What was restored: where, what stood there before, and what is to be copied by hand. */
export interface Restored {
  readonly folder: string
  readonly aside: string | undefined
  readonly tops: ReadonlySet<string>
}

/** Renames a folder, with the moment, to a name that nothing has. */
const putAside = Effect.fnUntraced(function* (place: string) {
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const aside = `${place}${BEFORE}${stampOf(DateTime.formatIso(DateTime.makeUnsafe(now)))}`
    const isTaken = yield* looking(() =>
      lstat(aside)
        .then(() => true)
        .catch(unlessMissing(false))
    )
    if (!isTaken) {
      yield* doing("place", `put ${place} aside`)(() => rename(place, aside))
      return aside
    }
    yield* Effect.sleep(SECOND - (now % SECOND))
  }
})

/**
 * Makes a folder what an archive holds. It's unpacked and checked beside it first; then two renames put the old folder
 * aside and the new one in its place, so that after any failure the folder is as before.
 */
export const restoreBackup = Effect.fn("restoreBackup")(function* (
  file: string,
  { into, replace }: { readonly into: string; readonly replace: boolean }
) {
  const manifest = yield* readArchive(file)
  if (manifest.version > FORMAT) return yield* newerArchive(manifest)
  const place = yield* placeOf(into)
  yield* putBack(place)
  yield* checkPlace(place, replace)
  const parent = posix.dirname(place)
  yield* removeUnfinished(parent, posix.basename(place))
  const prepared = posix.join(parent, unfinishedName(posix.basename(place)))
  yield* Effect.acquireRelease(
    doing("place", `create a folder beside ${place}`)(() => mkdir(prepared, { mode: PRIVATE_FOLDER })),
    () => Effect.promise(() => rm(prepared, { recursive: true, force: true }).catch(() => {}))
  )
  const folders = new Set([prepared])
  yield* readArchive(file, unpackInto(prepared, folders))
  yield* doing("place", `write into ${parent}`)(() => Promise.resolve().then(() => [...folders].forEach(syncFolder)))
  const aside = yield* Effect.uninterruptible(
    Effect.gen(function* () {
      // Somebody may have come meanwhile.
      const moved = (yield* checkPlace(place, replace)) ? yield* putAside(place) : undefined
      const placing = doing("place", `put the restored folder in the place of ${place}`)
      yield* placing(() => rename(prepared, place)).pipe(
        Effect.tapError(() =>
          moved === undefined ? Effect.void : Effect.ignore(Effect.tryPromise(() => rename(moved, place)))
        )
      )
      yield* placing(() => Promise.resolve().then(() => syncFolder(parent)))
      return moved
    })
  )
  const tops = new Set(manifest.files.map(({ path }) => path.split("/")[0] ?? ""))
  return { folder: place, aside, tops } satisfies Restored
}, Effect.scoped)
