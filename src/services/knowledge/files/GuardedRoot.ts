import { constants, type Stats } from "node:fs"
import { type FileHandle, link, lstat, open, readlink, realpath, rename, stat, unlink } from "node:fs/promises"
import { posix } from "node:path"
import { Effect, type Scope } from "effect"
import { failure } from "../../../contract/failures.ts"
import { attempt, FileConflict, FileMissing, FileRefused } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "./relativePath.ts"

/** An open folder: operations below `at` apply to this folder, even if its path now leads elsewhere. */
export interface HeldFolder {
  /** Path prefix of its entries: the descriptor if the system supports it, else the real path. */
  readonly at: string
  /** Its real path when it was opened. */
  readonly real: string
}

/** A regular file held open for reading. */
export interface HeldFile {
  readonly handle: FileHandle
  readonly real: string
}

/** An entry, possibly missing, in a folder held open. */
export interface HeldEntry {
  readonly folder: HeldFolder
  readonly name: string
  /** Path for calls on the entry itself; the last name must not be followed. */
  readonly at: string
  /** Real path of the folder, and the name. */
  readonly real: string
}

const { O_RDONLY, O_DIRECTORY, O_NONBLOCK } = constants
/** On macOS, rejects links anywhere in a path, not only in the last name; Node has no name for this flag. */
const O_NOFOLLOW_ANY = 0x20000000
const O_NOFOLLOW = process.platform === "darwin" ? O_NOFOLLOW_ANY : constants.O_NOFOLLOW

/** Whether an open folder's entries and location can be accessed through its descriptor. */
const HAS_DESCRIPTOR_PATHS = process.platform === "linux"

const outside = () => new FileRefused(failure("OUTSIDE_THE_FOLDER", { field: "path" }))

/** A path; bytes where a name may not be valid text. */
type Place = string | Buffer

const opened = (path: Place, flags: number) =>
  Effect.acquireRelease(
    attempt(() => open(path, flags)),
    (handle) => Effect.ignore(attempt(() => handle.close()))
  )

/** The real location of an open descriptor: from Linux, or elsewhere if the path is still the same file. */
const whereIs = Effect.fnUntraced(function* (handle: FileHandle, path: Place, byDescriptor: boolean) {
  if (byDescriptor) return yield* attempt(() => readlink(`/proc/self/fd/${handle.fd}`))
  const real = yield* attempt(() => realpath(path))
  const [held, named] = yield* attempt(() => Promise.all([handle.stat(), stat(real)]))
  return held.dev === named.dev && held.ino === named.ino ? real : yield* outside()
})

const holdFolderAt = Effect.fnUntraced(function* (
  path: string,
  isAllowed: (real: string) => boolean,
  byDescriptor: boolean
) {
  const handle = yield* opened(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK)
  const real = yield* whereIs(handle, path, byDescriptor)
  if (!isAllowed(real)) return yield* outside()
  return { at: byDescriptor ? `/proc/self/fd/${handle.fd}` : real, real } satisfies HeldFolder
})

/**
 * Opens a regular file by its real path and makes sure that what was opened is in an allowed place. FIFOs, sockets and
 * devices are rejected before opening, and again by their open descriptor.
 */
export const holdFileAt = Effect.fnUntraced(function* (
  path: Place,
  isAllowed: (real: string) => boolean,
  byDescriptor: boolean = HAS_DESCRIPTOR_PATHS
) {
  const before = yield* attempt(() => lstat(path))
  if (before.isSymbolicLink()) return yield* outside()
  if (!before.isFile()) return yield* new FileRefused(failure("NOT_A_FILE", { field: "path" }))
  const handle = yield* opened(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const info = yield* attempt(() => handle.stat())
  if (!info.isFile()) return yield* new FileRefused(failure("NOT_A_FILE", { field: "path" }))
  const real = yield* whereIs(handle, path, byDescriptor)
  if (!isAllowed(real)) return yield* outside()
  return { handle, real } satisfies HeldFile
})

/**
 * The guard for everything below a root folder. A path is resolved with its links and must be inside the real root;
 * then it's opened without following links, and the location of the *open descriptor* is checked. After that, entries
 * are accessed through the descriptor, so swapping a folder for a link in between has no effect.
 *
 * Linux has `/proc/self/fd` for both. Elsewhere the descriptor is compared with what the real path names after opening
 * (device and inode), and entries are accessed by the real path: a folder swapped there and back within that step goes
 * unnoticed. `byDescriptor` lets tests force the second way.
 */
export const makeGuardedRoot = (root: string, byDescriptor: boolean = HAS_DESCRIPTOR_PATHS) => {
  const realRoot = attempt(() => realpath(root))

  const resolve = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
    const base = yield* realRoot
    const real = yield* attempt(() => realpath(posix.join(base, ...segments)))
    const isAllowed = (path: string) => isWithin(base, path)
    if (!isAllowed(real)) return yield* outside()
    return { real, isAllowed }
  })

  /** Opens a folder; links inside the root are followed. */
  const folder = (
    segments: ReadonlyArray<string>
  ): Effect.Effect<HeldFolder, Effect.Error<ReturnType<typeof resolve>>, Scope.Scope> =>
    Effect.flatMap(resolve(segments), ({ real, isAllowed }) => holdFolderAt(real, isAllowed, byDescriptor))

  /** Opens a regular file; links inside the root are followed. */
  const file = (segments: ReadonlyArray<string>) =>
    Effect.flatMap(resolve(segments), ({ real, isAllowed }) => holdFileAt(real, isAllowed, byDescriptor))

  /** Opens an entry's folder; the entry itself isn't followed, even if it's a link, and may be missing. */
  const entry = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
    const name = segments.at(-1)
    if (name === undefined) return yield* new FileRefused(failure("FOLDER_FIXED", { field: "path" }))
    const held = yield* folder(segments.slice(0, -1))
    return { folder: held, name, at: `${held.at}/${name}`, real: posix.join(held.real, name) } satisfies HeldEntry
  })

  /** Like `entry`, but a link inside the root leads to the entry it names, so that writing keeps the link. */
  const target = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
    const base = yield* realRoot
    const found = yield* resolve(segments).pipe(
      Effect.map(({ real }) => real),
      Effect.catchTag("FileMissing", () => Effect.undefined)
    )
    if (found !== undefined) {
      const relative = posix.relative(base, found)
      return yield* entry(relative === "" ? [] : relative.split("/"))
    }
    const named = yield* entry(segments)
    const isLink = yield* attempt(() => lstat(named.at)).pipe(
      Effect.map((info) => info.isSymbolicLink()),
      Effect.catchTag("FileMissing", () => Effect.succeed(false))
    )
    return isLink ? yield* new FileRefused(failure("DANGLING_LINK", { field: "path" })) : named
  })

  return { root, realRoot, resolve, folder, file, entry, target }
}

export type GuardedRoot = ReturnType<typeof makeGuardedRoot>

/** Information about an entry, without following it; `undefined` if there is none. */
export const infoOf = (entry: HeldEntry) =>
  attempt(() => lstat(entry.at)).pipe(
    Effect.map((info): Stats | undefined => info),
    Effect.catchTag("FileMissing", () => Effect.undefined)
  )

/** Fails unless an entry of that name exists. */
export const requireEntry = (entry: HeldEntry) =>
  Effect.filterOrFail(
    infoOf(entry),
    (info) => info !== undefined,
    () => new FileMissing()
  )

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
