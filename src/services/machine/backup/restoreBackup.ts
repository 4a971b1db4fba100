import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat
} from "node:fs/promises"
import { posix } from "node:path"
import { Clock, DateTime, Effect, Option } from "effect"
import { homeHolder } from "../../platform/settings/consoleHome.ts"
import { putBack } from "../../platform/settings/putBack.ts"
import { contentOf, finishInside, replaceInside } from "../../platform/settings/restoreInside.ts"
import { BEFORE, linkedPlace, syncFolder } from "../../platform/settings/restorePlaces.ts"
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
const checkPlace = Effect.fnUntraced(function* (place: string, replace: boolean, isInside: boolean) {
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
  const names = yield* looking(() => (isInside ? Promise.resolve().then(() => contentOf(place)) : readdir(place)))
  const isFilled = names.length > 0
  if (isFilled && !replace) {
    return yield* refuse(
      `the folder ${place} isn't empty: name another one with --into, or pass --replace to put it aside`
    )
  }
  return isFilled
})

const MOUNTS = "/proc/self/mountinfo"

/** The places where something is mounted, with blanks and such as octal numbers; only Linux has the list. */
const mountPoints = looking(() => readFile(MOUNTS, "utf8").catch(unlessMissing(""))).pipe(
  Effect.map((text) =>
    text
      .split("\n")
      .map((line) =>
        line.split(" ")[4]?.replace(/\\(\d{3})/g, (_all, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
      )
  )
)

/** Whether a folder can't be renamed, because something is mounted there or this user may not change what it's in. */
const staysInPlace = Effect.fnUntraced(function* (place: string) {
  const info = yield* looking(() => stat(place).catch(unlessMissing(undefined)))
  if (info?.isDirectory() !== true) return false
  const parent = posix.dirname(place)
  const isMounted = (yield* mountPoints).includes(place) || info.dev !== (yield* looking(() => stat(parent))).dev
  return isMounted || Option.isNone(yield* Effect.option(looking(() => access(parent, constants.W_OK))))
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

/** The moment as it's in names, such that nothing has the name that begins like this. */
const freeStamp = Effect.fnUntraced(function* (start: string) {
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const stamp = stampOf(DateTime.formatIso(DateTime.makeUnsafe(now)))
    const isTaken = yield* looking(() =>
      lstat(`${start}${stamp}`)
        .then(() => true)
        .catch(unlessMissing(false))
    )
    if (!isTaken) return stamp
    yield* Effect.sleep(SECOND - (now % SECOND))
  }
})

/** Renames a folder, with the moment. */
const putAside = Effect.fnUntraced(function* (place: string) {
  const aside = `${place}${BEFORE}${yield* freeStamp(`${place}${BEFORE}`)}`
  yield* doing("place", `put ${place} aside`)(() => rename(place, aside))
  return aside
})

/** Puts the old folder aside and the prepared one in its place; where the old one is, if there was one. */
const swap = Effect.fnUntraced(function* (place: string, prepared: string, replace: boolean) {
  // Somebody may have come meanwhile.
  const moved = (yield* checkPlace(place, replace, false)) ? yield* putAside(place) : undefined
  const placing = doing("place", `put the restored folder in the place of ${place}`)
  yield* placing(() => rename(prepared, place)).pipe(
    Effect.tapError(() =>
      moved === undefined ? Effect.void : Effect.ignore(Effect.tryPromise(() => rename(moved, place)))
    )
  )
  yield* placing(() => Promise.resolve().then(() => syncFolder(posix.dirname(place))))
  return moved
})

/** The same in a folder that has to stay where it is. */
const swapInside = Effect.fnUntraced(function* (place: string, prepared: string, replace: boolean) {
  yield* checkPlace(place, replace, true)
  const stamp = yield* freeStamp(posix.join(place, BEFORE))
  const placing = doing("place", `put the restored files in the place of those in ${place}`)
  const aside = yield* placing(() => Promise.resolve().then(() => replaceInside(place, prepared, stamp))).pipe(
    Effect.tapError(() => Effect.ignore(Effect.try(() => finishInside(place))))
  )
  // Of others' folders, only the owner may.
  yield* Effect.ignore(Effect.tryPromise(() => chmod(place, PRIVATE_FOLDER)))
  return aside
})

/**
 * Makes a folder what an archive holds. It's unpacked and checked first, beside it; then two renames put the old folder
 * aside and the new one in its place, so that after any failure the folder is as before. A folder that can't be renamed is
 * prepared, put aside and replaced in itself.
 */
export const restoreBackup = Effect.fn("restoreBackup")(function* (
  file: string,
  { into, replace }: { readonly into: string; readonly replace: boolean }
) {
  const manifest = yield* readArchive(file)
  if (manifest.version > FORMAT) return yield* newerArchive(manifest)
  const place = yield* placeOf(into)
  yield* Effect.mapError(putBack(place), ({ message }) => refuse(`can't restore into ${place}: ${message}`))
  const isInside = yield* staysInPlace(place)
  yield* checkPlace(place, replace, isInside)
  const [parent, name] = isInside ? [place, ""] : [posix.dirname(place), posix.basename(place)]
  yield* removeUnfinished(parent, name)
  const prepared = posix.join(parent, unfinishedName(name))
  yield* Effect.acquireRelease(
    doing(
      "place",
      `create a folder ${isInside ? "in" : "beside"} ${place}`
    )(() => mkdir(prepared, { mode: PRIVATE_FOLDER })),
    () => Effect.promise(() => rm(prepared, { recursive: true, force: true }).catch(() => {}))
  )
  const folders = new Set([prepared])
  yield* readArchive(file, unpackInto(prepared, folders))
  yield* doing("place", `write into ${parent}`)(() => Promise.resolve().then(() => [...folders].forEach(syncFolder)))
  const aside = yield* Effect.uninterruptible((isInside ? swapInside : swap)(place, prepared, replace))
  const tops = new Set(manifest.files.map(({ path }) => path.split("/")[0] ?? ""))
  return { folder: place, aside, tops } satisfies Restored
}, Effect.scoped)
