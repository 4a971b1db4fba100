import { lstat, lutimes, mkdir, rm } from "node:fs/promises"
import { posix } from "node:path"
import { Effect, FileSystem, Option, type Path, Result, type Scope } from "effect"
import { failure } from "../../../contract/failures.ts"
import type { TrashEntry } from "../../../contract/schema/files.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { createFileAtomic, writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import {
  attempt,
  FileConflict,
  type FileError,
  FileMissing,
  FileRefused,
  FileTooLarge,
  fileErrorOf,
  RootMissing
} from "../../platform/storage/fileErrors.ts"
import { PathLocks } from "../../platform/storage/PathLocks.ts"
import { agentField, type Workspace } from "../agents/Workspace.ts"
import { watchPlan } from "../watch/watchRules.ts"
import { type FileTree, readFileTree } from "./fileTree.ts"
import { infoOf, makeGuardedRoot, renameWithoutReplacing, requireEntry } from "./GuardedRoot.ts"
import { describeOpenFile, type OpenFile, timeOf } from "./OpenFile.ts"
import { parseName, parseRelativePath } from "./relativePath.ts"
import {
  keepInTrash,
  listTrash,
  moveToTrash,
  originInTrash,
  removeFromTrash,
  restoreFromTrash,
  TRASH_FOLDER
} from "./trash.ts"

/** How far a file is searched for NUL bytes. */
const SNIFFED_BYTES = 8 * 1024

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A file's text with every byte kept, including a byte order mark; binary files are rejected. */
const decodeText = (bytes: Uint8Array): Result.Result<string, FileRefused> => {
  const binary = new FileRefused(failure("BINARY_FILE", { field: "path" }))
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return Result.fail(binary)
  return Result.try({ try: () => decoder.decode(bytes), catch: () => binary })
}

/** Largest file that's read or written as text, in bytes. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024
/** How often to re-read a file that changes during reading, before returning the last text. */
const READ_TRIES = 3

/** The files of one agent. */
export interface AgentFiles {
  /** The tree below a folder, `depth` levels of it. */
  readonly tree: (path: string, depth: number) => Effect.Effect<FileTree, FileError>
  /** A text file and its modification time in epoch milliseconds. */
  readonly read: (path: string) => Effect.Effect<{ readonly content: string; readonly mtime: number }, FileError>
  /** Writes a text file if it's unchanged since `mtime` (0 means it doesn't exist yet) and returns the new time. */
  readonly write: (path: string, content: string, mtime: number) => Effect.Effect<number, FileError>
  /** Creates a folder inside an existing folder. */
  readonly makeFolder: (path: string) => Effect.Effect<void, FileError>
  /** Moves a file or folder to a path that doesn't exist yet. */
  readonly move: (path: string, to: string) => Effect.Effect<void, FileError>
  /** Renames a file or folder and returns the new path. */
  readonly rename: (path: string, name: string) => Effect.Effect<string, FileError>
  /** Deletes a file or folder: to the trash, returning the id to undo it, or permanently, returning `null`. */
  readonly remove: (path: string) => Effect.Effect<string | null, FileError>
  /** The deleted entries that can be restored, latest first; null if deletes are permanent. */
  readonly trash: Effect.Effect<ReadonlyArray<TrashEntry> | null, FileError>
  /** Undoes a deletion and returns the path. */
  readonly restore: (id: string) => Effect.Effect<string, FileError>
  /**
   * Creates a file from one uploaded to `source`. An existing file is replaced only on request, and moves to where
   * deleted files go. Returns path and time.
   */
  readonly upload: (
    folder: string,
    name: string,
    source: string,
    replace: boolean
  ) => Effect.Effect<{ readonly path: string; readonly mtime: number }, FileError>
  /** Opens a file for as long as the scope lasts. */
  readonly open: (path: string) => Effect.Effect<OpenFile, FileError, Scope.Scope>
}

/** The dependencies of all agents' files. */
export const fileTools = Effect.gen(function* () {
  return {
    settings: yield* Settings,
    locks: yield* PathLocks,
    events: yield* EventBus,
    platform: yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  }
})

/**
 * The files in an agent's workspace, or below a custom root, where nothing is hidden and deletes are permanent.
 */
export const makeAgentFiles = (
  { settings, locks, events, platform }: Effect.Success<typeof fileTools>,
  workspace: Workspace,
  ownRoot: string | undefined
): AgentFiles => {
  const rootPath = ownRoot ?? workspace.root
  const hasOwnRoot = ownRoot !== undefined
  const root = makeGuardedRoot(rootPath)
  const plan = watchPlan(workspace, settings.watchWorkspaceRecursive)

  const parse = (path: string, field?: string) =>
    Effect.fromResult(parseRelativePath(path, field)).pipe(
      Effect.filterOrFail(
        (segments) => hasOwnRoot || segments[0] !== TRASH_FOLDER,
        () => new FileMissing()
      )
    )

  const required = (path: string) =>
    path === "" ? Effect.fail(new FileRefused(failure("MISSING", { field: "path" }))) : parse(path)

  /** Publishes a change, unless the watcher does. */
  const announce = (path: string, mtime: number) => {
    const isWatched = workspace.isWatched && rootPath === workspace.root && !plan.ignored(posix.join(rootPath, path))
    return isWatched
      ? Effect.void
      : events.publish({ event: "file.changed", data: { path, mtime, ...agentField(workspace) } })
  }

  /** A path's lock key: the file it leads to, under the name memory and documents use. */
  const lockOf = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
    const { real } = yield* Effect.scoped(root.target(segments))
    return posix.join(rootPath, posix.relative(yield* root.realRoot, real))
  })

  /** Runs a step that no save of the path's file can interrupt. */
  const locked = Effect.fnUntraced(function* <A, E>(segments: ReadonlyArray<string>, step: Effect.Effect<A, E>) {
    return yield* locks.withLock(yield* lockOf(segments))(Effect.uninterruptible(step))
  })

  /** The same for steps on entries themselves, which may be broken links. */
  const lockedEntries = Effect.fnUntraced(function* <A, E>(
    entries: ReadonlyArray<ReadonlyArray<string>>,
    step: Effect.Effect<A, E>
  ) {
    const own = entries.map((segments) => posix.join(rootPath, ...segments))
    const targets = yield* Effect.forEach(entries, (segments) => Effect.option(lockOf(segments)))
    // Always in the same order, so that no two steps wait for each other.
    const keys = [...new Set([...own, ...targets.flatMap((key) => Option.toArray(key))])].sort()
    return yield* keys.reduceRight(
      (inner: Effect.Effect<A, E>, key) => locks.withLock(key)(inner),
      Effect.uninterruptible(step)
    )
  })

  const ensureRoot = attempt(() => mkdir(rootPath, { recursive: true }))

  /** Other agents' workspaces are created when needed; a folder in the settings must exist. */
  const withoutRoot: Effect.Effect<FileTree, RootMissing> =
    workspace.agent === undefined
      ? Effect.fail(
          new RootMissing({
            message: hasOwnRoot
              ? "The folder in the setting FILE_BROWSER_ROOT doesn't exist. Create it, or correct the setting and restart the console."
              : "The agent's workspace doesn't exist: the gateway's folder, from the setting GATEWAY_HOME, has no folder “workspace”. Correct the setting and restart the console, or add a file here to create it."
          })
        )
      : Effect.succeed({ nodes: [], isCut: false })

  const tree = Effect.fn("WorkspaceFiles.tree")(function* (path: string, depth: number) {
    const segments = yield* parse(path)
    const options = { depth, excluding: !hasOwnRoot }
    return yield* readFileTree(root, segments, options).pipe(
      Effect.catchTag(
        "FileMissing",
        (error): Effect.Effect<FileTree, FileError> => (path === "" ? withoutRoot : Effect.fail(error))
      )
    )
  })

  const readOnce = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
    const { handle } = yield* root.file(segments)
    const before = yield* attempt(() => handle.stat())
    if (before.size > MAX_TEXT_BYTES) {
      return yield* new FileTooLarge(failure("FILE_TOO_LARGE_TO_EDIT"))
    }
    const bytes = yield* attempt(() => handle.readFile())
    const after = yield* attempt(() => handle.stat())
    const isWhole = after.mtimeMs === before.mtimeMs && after.size === bytes.length
    return { bytes, mtime: timeOf(before), isWhole }
  }, Effect.scoped)

  const read = Effect.fn("WorkspaceFiles.read")(function* (path: string) {
    const segments = yield* required(path)
    let found = yield* readOnce(segments)
    for (let tries = 1; !found.isWhole && tries < READ_TRIES; tries += 1) found = yield* readOnce(segments)
    return { content: yield* Effect.fromResult(decodeText(found.bytes)), mtime: found.mtime }
  })

  const save = Effect.fnUntraced(
    function* (segments: ReadonlyArray<string>, bytes: Uint8Array, mtime: number) {
      const entry = yield* root.target(segments)
      const present = yield* infoOf(entry)
      if (present !== undefined && !present.isFile()) {
        return yield* new FileRefused(failure("IS_NOT_A_FILE", { field: "path" }))
      }
      const current = present === undefined ? 0 : timeOf(present)
      if (current !== mtime) return yield* changedSince(current)
      if (present === undefined) {
        if (!(yield* createFileAtomic(entry.at, bytes))) return yield* changedSince(1)
      } else yield* writeFileAtomic(entry.at, bytes, { isResolved: true })
      const written = yield* attempt(() => lstat(entry.at))
      if (timeOf(written) > current) return timeOf(written)
      // Two saves within a millisecond would have the same time for the next reader.
      yield* attempt(() => lutimes(entry.at, written.atimeMs / 1000, (current + 1) / 1000))
      return current + 1
    },
    // Before the platform's context, which has the whole service's scope.
    Effect.scoped,
    Effect.provideContext(platform),
    Effect.catchTag("PlatformError", (cause) => Effect.fail(fileErrorOf(cause)))
  )

  const write = Effect.fn("WorkspaceFiles.write")(function* (path: string, content: string, mtime: number) {
    const segments = yield* required(path)
    const bytes = new TextEncoder().encode(content)
    if (bytes.length > MAX_TEXT_BYTES) return yield* new FileTooLarge(failure("FILE_SIZE_LIMIT"))
    yield* ensureRoot
    const saved = yield* locked(segments, save(segments, bytes, mtime))
    yield* announce(path, saved)
    return saved
  })

  const makeFolder = Effect.fn("WorkspaceFiles.makeFolder")(function* (path: string) {
    const segments = yield* required(path)
    yield* ensureRoot
    const entry = yield* root.entry(segments).pipe(Effect.mapError(withoutFolder))
    yield* attempt(() => mkdir(entry.at))
    yield* announce(path, timeOf(yield* requireEntry(entry)))
  }, Effect.scoped)

  const relocate = Effect.fnUntraced(
    function* (path: string, from: ReadonlyArray<string>, to: ReadonlyArray<string>) {
      const source = yield* root.entry(from)
      const destination = yield* root.entry(to).pipe(Effect.mapError(withoutFolder))
      yield* renameWithoutReplacing(source, destination)
      const moved = yield* requireEntry(destination)
      yield* announce(path, 0)
      yield* announce(posix.join(...to), timeOf(moved))
    },
    Effect.scoped,
    (step, _path, from, to) => lockedEntries([from, to], step)
  )

  const move = Effect.fn("WorkspaceFiles.move")(function* (path: string, to: string) {
    const from = yield* required(path)
    const target = yield* parse(to, "to")
    if (target.length === 0) return yield* new FileRefused(failure("MISSING", { field: "to" }))
    yield* relocate(path, from, target)
  })

  const rename = Effect.fn("WorkspaceFiles.rename")(function* (path: string, name: string) {
    const from = yield* required(path)
    const target = [...from.slice(0, -1), yield* Effect.fromResult(parseName(name))]
    yield* parse(posix.join(...target), "name")
    yield* relocate(path, from, target)
    return posix.join(...target)
  })

  const removeForGood = Effect.fnUntraced(function* (at: string) {
    yield* attempt(() => rm(at, { recursive: true }))
    return null
  })

  const removeEntry = Effect.fnUntraced(
    function* (path: string, segments: ReadonlyArray<string>) {
      const entry = yield* root.entry(segments)
      yield* requireEntry(entry)
      const id = yield* hasOwnRoot ? removeForGood(entry.at) : moveToTrash(root, entry, path)
      yield* announce(path, 0)
      return id
    },
    Effect.scoped,
    (step, _path, segments) => lockedEntries([segments], step)
  )

  const remove = Effect.fn("WorkspaceFiles.remove")(function* (path: string) {
    return yield* removeEntry(path, yield* required(path))
  })

  const trash = hasOwnRoot
    ? Effect.succeed(null)
    : listTrash(root).pipe(Effect.catchTag("FileMissing", () => Effect.succeed([])))

  const restore = Effect.fn("WorkspaceFiles.restore")(function* (id: string) {
    if (hasOwnRoot) return yield* new FileMissing()
    const segments = yield* originInTrash(root, id)
    yield* lockedEntries([segments], restoreFromTrash(root, id, segments))
    const path = posix.join(...segments)
    const entry = yield* root.entry(segments)
    yield* announce(path, timeOf(yield* requireEntry(entry)))
    return path
  }, Effect.scoped)

  const upload = Effect.fn("WorkspaceFiles.upload")(
    function* (folder: string, name: string, source: string, replace: boolean) {
      const fs = yield* FileSystem.FileSystem
      const segments = [...(yield* parse(folder)), yield* Effect.fromResult(parseName(name, "file"))]
      const path = posix.join(...segments)
      yield* parse(path)
      yield* ensureRoot
      const entry = yield* root.entry(segments).pipe(Effect.mapError(withoutFolder))
      const bytes = yield* fs.readFile(source)
      const create = createFileAtomic(entry.at, bytes)
      const write = writeFileAtomic(entry.at, bytes, { isResolved: true }).pipe(Effect.as(true))
      const createOrReplace = Effect.gen(function* () {
        const present = yield* infoOf(entry)
        if (present === undefined) return yield* create
        if (present.isDirectory()) {
          return yield* new FileConflict(failure("FOLDER_EXISTS"))
        }
        if (hasOwnRoot) return yield* write
        // The name always exists, so that a concurrent reader finds the file.
        const kept = yield* present.isFile() ? keepInTrash(root, entry, path) : moveToTrash(root, entry, path)
        return yield* write.pipe(
          Effect.tapError(() => (present.isFile() ? Effect.ignore(removeFromTrash(root, kept)) : Effect.void))
        )
      })
      const created = yield* lockedEntries(
        [segments],
        (replace ? createOrReplace : create).pipe(Effect.provideContext(platform))
      )
      if (!created) {
        return yield* new FileConflict(failure("NAME_TAKEN_RENAME"))
      }
      const mtime = timeOf(yield* requireEntry(entry))
      yield* announce(path, mtime)
      return { path, mtime }
    },
    // Before the platform's context, which has the whole service's scope.
    Effect.scoped,
    Effect.provideContext(platform),
    Effect.catchTag("PlatformError", (cause) => Effect.fail(fileErrorOf(cause)))
  )

  const open = Effect.fn("WorkspaceFiles.open")(function* (path: string) {
    return yield* describeOpenFile(yield* root.file(yield* required(path)))
  })

  return { tree, read, write, makeFolder, move, rename, remove, trash, restore, upload, open }
}

/** Maps a missing folder to the error of creating an entry in it. */
const withoutFolder = <E extends { readonly _tag: string }>(error: E) =>
  error._tag === "FileMissing" ? new FileMissing({ advice: failure("PARENT_MISSING") }) : error

const changedSince = (current: number) =>
  new FileConflict({
    message:
      current === 0
        ? "the file no longer exists: save it as a new one, with mtime 0"
        : "the file has changed since you opened it: reload it, then save"
  })
