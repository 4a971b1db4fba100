import { randomBytes } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { Clock, Effect, Schema } from "effect"
import { attempt, FileConflict, FileMissing } from "./fileErrors.ts"
import { type GuardedRoot, type HeldEntry, requireEntry } from "./GuardedRoot.ts"
import { parseRelativePath } from "./relativePath.ts"
import { renameWithoutReplacing } from "./renameWithoutReplacing.ts"

/** Folder below the root that keeps what was deleted. */
export const TRASH_FOLDER = ".trash"

/** Handle of one deletion, for undoing it. */
export const TrashId = Schema.String.check(Schema.isPattern(/^\d{13}-[0-9a-f]{12}$/))

/** How long deleted things are kept, in milliseconds: 30 days. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const ITEM = "item"
const ORIGIN = "origin.json"

const Origin = Schema.fromJsonString(Schema.Struct({ path: Schema.String }))
const encodeOrigin = Schema.encodeEffect(Origin)
const decodeOrigin = Schema.decodeEffect(Origin)
const isTrashId = Schema.is(TrashId)

/** Something that was deleted and can be brought back. */
export const TrashEntry = Schema.Struct({
  undo: TrashId,
  /** Where it was, relative to the root. */
  path: Schema.String,
  /** Epoch milliseconds. */
  deletedAt: Schema.Finite
})
export type TrashEntry = typeof TrashEntry.Type

/** Most entries of the trash that are shown. */
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

/** Moves an entry into the trash and answers the id that brings it back; what is older than 30 days is removed. */
export const moveToTrash = Effect.fn("moveToTrash")(
  function* (root: GuardedRoot, entry: HeldEntry, path: string) {
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
    yield* attempt(() => rename(entry.at, `${slot.at}/${ITEM}`)).pipe(
      Effect.tapError(() => Effect.ignore(attempt(() => rm(`${trash.at}/${id}`, { recursive: true }))))
    )
    yield* removeOld(trash.at, now)
    return id
  },
  Effect.scoped,
  Effect.uninterruptible
)

/** Where a deleted entry was, as names below the root. */
export const originInTrash = Effect.fn("originInTrash")(function* (root: GuardedRoot, id: string) {
  const slot = yield* root.folder([TRASH_FOLDER, id])
  const { path } = yield* attempt(() => readFile(`${slot.at}/${ORIGIN}`, "utf8")).pipe(
    Effect.flatMap(decodeOrigin),
    Effect.catchTag("SchemaError", () => Effect.fail(new FileMissing()))
  )
  return yield* Effect.fromResult(parseRelativePath(path))
}, Effect.scoped)

/** Puts a deleted entry back where it was; never replaces what is there by now. */
export const restoreFromTrash = Effect.fn("restoreFromTrash")(
  function* (root: GuardedRoot, id: string, segments: ReadonlyArray<string>) {
    const slot = yield* root.folder([TRASH_FOLDER, id])
    const to = yield* root
      .entry(segments)
      .pipe(
        Effect.catchTag("FileMissing", () =>
          Effect.fail(new FileConflict({ message: "the folder it was in is gone: restore or make that one first" }))
        )
      )
    yield* renameWithoutReplacing({ folder: slot, name: ITEM, at: `${slot.at}/${ITEM}`, real: slot.real }, to)
    const trash = yield* root.folder([TRASH_FOLDER])
    yield* Effect.ignore(attempt(() => rm(`${trash.at}/${id}`, { recursive: true })))
  },
  Effect.scoped,
  Effect.uninterruptible
)

/** What lies in the trash, deleted last first; a damaged entry is left out. */
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
