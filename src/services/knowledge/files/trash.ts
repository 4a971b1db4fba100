import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { Clock, Effect, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { type TrashEntry, TrashId } from "../../../contract/schema/files.ts"
import { attempt, FileConflict, FileMissing } from "../../platform/storage/fileErrors.ts"
import { type GuardedRoot, type HeldEntry, renameWithoutReplacing, requireEntry } from "./GuardedRoot.ts"
import { parseRelativePath } from "./relativePath.ts"

/** Folder below the root for deleted entries. */
export const TRASH_FOLDER = ".trash"

/** How long deleted entries are kept, in milliseconds: 30 days. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const ITEM = "item"
const ORIGIN = "origin.json"

const Origin = Schema.fromJsonString(Schema.Struct({ path: Schema.String }))
const encodeOrigin = Schema.encodeEffect(Origin)
const decodeOrigin = Schema.decodeEffect(Origin)
const isTrashId = Schema.is(TrashId)

/** The maximum number of trash entries shown. */
const MAX_LISTED = 200

const ensureFolder = (at: string) =>
  attempt(() => mkdir(at, { mode: 0o700 })).pipe(Effect.catchTag("FileConflict", () => Effect.void))

const removeOld = Effect.fnUntraced(function* (at: string, now: number) {
  const names = yield* attempt(() => readdir(at))
  const old = names.filter((name) => isTrashId(name) && Number(name.slice(0, 13)) < now - KEPT_MS)
  yield* Effect.forEach(old, (name) => Effect.ignore(attempt(() => rm(`${at}/${name}`, { recursive: true }))), {
    discard: true
  })
})

/** Moves an entry to the trash and returns the id to restore it; removes entries older than 30 days. */
const putIntoTrash = Effect.fnUntraced(
  function* (root: GuardedRoot, entry: HeldEntry, path: string, put: (item: string) => Promise<void>) {
    yield* requireEntry(entry)
    const now = yield* Clock.currentTimeMillis
    const id = `${String(now).padStart(13, "0")}-${randomBytes(6).toString("hex")}`
    const base = yield* root.folder([])
    yield* ensureFolder(`${base.at}/${TRASH_FOLDER}`)
    const trash = yield* root.folder([TRASH_FOLDER])
    yield* ensureFolder(`${trash.at}/${id}`)
    const slot = yield* root.folder([TRASH_FOLDER, id])
    const origin = yield* Effect.orDie(encodeOrigin({ path }))
    yield* attempt(() => writeFile(`${slot.at}/${ORIGIN}`, origin, { mode: 0o600, flush: true }))
    yield* attempt(() => put(`${slot.at}/${ITEM}`)).pipe(
      Effect.tapError(() => Effect.ignore(attempt(() => rm(`${trash.at}/${id}`, { recursive: true }))))
    )
    yield* removeOld(trash.at, now)
    return id
  },
  Effect.scoped,
  Effect.uninterruptible
)

/** Moves an entry to the trash. */
export const moveToTrash = Effect.fn("moveToTrash")((root: GuardedRoot, entry: HeldEntry, path: string) =>
  putIntoTrash(root, entry, path, (item) => rename(entry.at, item))
)

/** Keeps a file's contents in the trash while the file stays where it is, until it's replaced in one step. */
export const keepInTrash = Effect.fn("keepInTrash")((root: GuardedRoot, entry: HeldEntry, path: string) =>
  putIntoTrash(root, entry, path, (item) =>
    // Not every file system supports hard links.
    link(entry.at, item).catch(() => copyFile(entry.at, item, constants.COPYFILE_EXCL))
  )
)

/** Removes one entry from the trash for good. */
export const removeFromTrash = Effect.fn("removeFromTrash")(function* (root: GuardedRoot, id: string) {
  const trash = yield* root.folder([TRASH_FOLDER])
  yield* attempt(() => rm(`${trash.at}/${id}`, { recursive: true }))
}, Effect.scoped)

/** The original path of a deleted entry, as names below the root. */
export const originInTrash = Effect.fn("originInTrash")(function* (root: GuardedRoot, id: string) {
  const slot = yield* root.folder([TRASH_FOLDER, id])
  const { path } = yield* attempt(() => readFile(`${slot.at}/${ORIGIN}`, "utf8")).pipe(
    Effect.flatMap(decodeOrigin),
    Effect.catchTag("SchemaError", () => Effect.fail(new FileMissing()))
  )
  return yield* Effect.fromResult(parseRelativePath(path))
}, Effect.scoped)

/** Restores a deleted entry to where it was; never replaces anything. */
export const restoreFromTrash = Effect.fn("restoreFromTrash")(
  function* (root: GuardedRoot, id: string, segments: ReadonlyArray<string>) {
    const slot = yield* root.folder([TRASH_FOLDER, id])
    const to = yield* root
      .entry(segments)
      .pipe(Effect.catchTag("FileMissing", () => Effect.fail(new FileConflict(failure("PARENT_GONE")))))
    yield* renameWithoutReplacing({ folder: slot, name: ITEM, at: `${slot.at}/${ITEM}`, real: slot.real }, to)
    const trash = yield* root.folder([TRASH_FOLDER])
    yield* Effect.ignore(attempt(() => rm(`${trash.at}/${id}`, { recursive: true })))
  },
  Effect.scoped,
  Effect.uninterruptible
)

/** The trash's contents, most recently deleted first; damaged entries are left out. */
export const listTrash = Effect.fn("listTrash")(function* (root: GuardedRoot) {
  const trash = yield* root.folder([TRASH_FOLDER])
  const names = yield* attempt(() => readdir(trash.at))
  const latest = names.filter(isTrashId).sort().reverse().slice(0, MAX_LISTED)
  const found = yield* Effect.forEach(latest, (undo) =>
    attempt(() => readFile(`${trash.at}/${undo}/${ORIGIN}`, "utf8")).pipe(
      Effect.flatMap(decodeOrigin),
      Effect.map(({ path }): ReadonlyArray<TrashEntry> => [{ undo, path, deletedAt: Number(undo.slice(0, 13)) }]),
      Effect.orElseSucceed((): ReadonlyArray<TrashEntry> => [])
    )
  )
  return found.flat()
}, Effect.scoped)
