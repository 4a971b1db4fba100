import { lstat, lutimes, mkdir, rm } from "node:fs/promises"
import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, Option, type Path, type Scope, type Stream } from "effect"
import { EventBus } from "../events/EventBus.ts"
import { Settings } from "../settings/Settings.ts"
import { watchPlan } from "../watch/watchRules.ts"
import { createFileAtomic, writeFileAtomic } from "./atomicFile.ts"
import { fileBytes } from "./fileBytes.ts"
import {
  attempt,
  FileConflict,
  type FileError,
  FileMissing,
  FileRefused,
  FileTooLarge,
  fileErrorOf
} from "./fileErrors.ts"
import { decodeText } from "./fileText.ts"
import { type FileTree, readFileTree } from "./fileTree.ts"
import { type HeldFile, infoOf, makeGuardedRoot, requireEntry } from "./GuardedRoot.ts"
import { PathLocks } from "./PathLocks.ts"
import { parseName, parseRelativePath } from "./relativePath.ts"
import { renameWithoutReplacing } from "./renameWithoutReplacing.ts"
import { listTrash, moveToTrash, originInTrash, restoreFromTrash, TRASH_FOLDER, type TrashEntry } from "./trash.ts"

/** Most bytes of a file that is read or written as text. */
export const MAX_TEXT_BYTES = 2 * 1024 * 1024
/** Levels of the tree without a `depth` of the request, and the most there may be. */
export const MAX_TREE_DEPTH = 64
/** How often a file that changes under the reader is read again before the reader gets what there is. */
const READ_TRIES = 3

/** A file that is open for reading; its bytes are those of the file that had the name when it was opened. */
export interface OpenFile {
  readonly name: string
  readonly size: number
  /** Epoch milliseconds. */
  readonly mtime: number
  /** Tells this file and state of it from every other. */
  readonly version: string
  /** Bytes from `start` up to and without `end`. */
  readonly bytes: (start: number, end: number) => Stream.Stream<Uint8Array, FileError>
}

export interface WorkspaceFilesShape {
  /** The tree below a folder, `depth` levels of it. */
  readonly tree: (path: string, depth: number) => Effect.Effect<FileTree, FileError>
  /** A text file and its modification time in epoch milliseconds. */
  readonly read: (path: string) => Effect.Effect<{ readonly content: string; readonly mtime: number }, FileError>
  /** Writes a text file if it is still as of `mtime`, 0 standing for "not there yet" (D50); answers the new time. */
  readonly write: (path: string, content: string, mtime: number) => Effect.Effect<number, FileError>
  /** Makes one folder in a folder that is there. */
  readonly makeFolder: (path: string) => Effect.Effect<void, FileError>
  /** Moves a file or folder to a path that is free. */
  readonly move: (path: string, to: string) => Effect.Effect<void, FileError>
  /** Gives a file or folder another name in its folder; answers the new path. */
  readonly rename: (path: string, name: string) => Effect.Effect<string, FileError>
  /** Deletes a file or folder: into the trash, answering the id that undoes it, or for good, answering `null`. */
  readonly remove: (path: string) => Effect.Effect<string | null, FileError>
  /** What was deleted and can be brought back, the last first; null where deletes are for good. */
  readonly trash: Effect.Effect<ReadonlyArray<TrashEntry> | null, FileError>
  /** Undoes a deletion; answers the path. */
  readonly restore: (id: string) => Effect.Effect<string, FileError>
  /** Makes a file out of another one, uploaded to `source`; never replaces one. Answers path and time. */
  readonly upload: (
    folder: string,
    name: string,
    source: string
  ) => Effect.Effect<{ readonly path: string; readonly mtime: number }, FileError>
  /** Opens a file for as long as the scope lasts. */
  readonly open: (path: string) => Effect.Effect<OpenFile, FileError, Scope.Scope>
}

/** Modification time in epoch milliseconds; at least 1, since 0 stands for a file that is not there (D50). */
const timeOf = (info: { readonly mtimeMs: number }): number => Math.max(1, Math.trunc(info.mtimeMs))

/** What is known of an open file without reading it. */
export const describeOpenFile = Effect.fnUntraced(function* ({ handle, real }: HeldFile) {
  const info = yield* attempt(() => handle.stat())
  const version = [info.ino, info.size, info.mtimeMs].map((part) => part.toString(36)).join("-")
  const file: OpenFile = {
    name: posix.basename(real),
    size: info.size,
    mtime: timeOf(info),
    version,
    bytes: (start, end) => fileBytes(handle, start, end)
  }
  return file
})

/** The files below the workspace, or below FILE_BROWSER_ROOT, as people browse and edit them (SPEC "File browser"). */
export class WorkspaceFiles extends Context.Service<WorkspaceFiles, WorkspaceFilesShape>()(
  "agent-console/services/files/WorkspaceFiles"
) {
  static readonly layer = Layer.effect(
    WorkspaceFiles,
    Effect.gen(function* () {
      const settings = yield* Settings
      const locks = yield* PathLocks
      const events = yield* EventBus
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const hasOwnRoot = settings.fileBrowserRoot !== undefined
      const rootPath = settings.fileBrowserRoot ?? posix.join(settings.gatewayHome, "workspace")
      const root = makeGuardedRoot(rootPath)
      const plan = watchPlan(settings)

      const parse = (path: string, field?: string) =>
        Effect.fromResult(parseRelativePath(path, field)).pipe(
          Effect.filterOrFail(
            (segments) => hasOwnRoot || segments[0] !== TRASH_FOLDER,
            () => new FileMissing()
          )
        )

      const required = (path: string) =>
        path === "" ? Effect.fail(new FileRefused({ message: "path: is missing" })) : parse(path)

      /** Tells of a change, unless the watcher sees it as well. */
      const announce = (path: string, mtime: number) => {
        const isWatched = rootPath === plan.workspace && !plan.ignored(posix.join(rootPath, path))
        return isWatched ? Effect.void : events.publish("file.changed", { path, mtime })
      }

      /** What a path is locked by: the file it leads to, under the name that memory and documents lock it by. */
      const lockOf = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
        const { real } = yield* Effect.scoped(root.target(segments))
        return posix.join(rootPath, posix.relative(yield* root.realRoot, real))
      })

      /** Runs a step that no save of the file a path leads to comes in between of. */
      const locked = Effect.fnUntraced(function* <A, E>(segments: ReadonlyArray<string>, step: Effect.Effect<A, E>) {
        return yield* locks.withLock(yield* lockOf(segments))(Effect.uninterruptible(step))
      })

      /** The same for steps on the entries themselves, which may be links that lead nowhere. */
      const lockedEntries = Effect.fnUntraced(function* <A, E>(
        entries: ReadonlyArray<ReadonlyArray<string>>,
        step: Effect.Effect<A, E>
      ) {
        const own = entries.map((segments) => posix.join(rootPath, ...segments))
        const targets = yield* Effect.forEach(entries, (segments) => Effect.option(lockOf(segments)))
        // In one order everywhere, so that no two steps wait for each other.
        const keys = [...new Set([...own, ...targets.flatMap((key) => Option.toArray(key))])].sort()
        return yield* keys.reduceRight(
          (inner: Effect.Effect<A, E>, key) => locks.withLock(key)(inner),
          Effect.uninterruptible(step)
        )
      })

      const ensureRoot = attempt(() => mkdir(rootPath, { recursive: true }))

      const tree = Effect.fn("WorkspaceFiles.tree")(function* (path: string, depth: number) {
        const segments = yield* parse(path)
        const options = { depth, excluding: !hasOwnRoot }
        const empty: FileTree = { nodes: [], isCut: false }
        return yield* readFileTree(root, segments, options).pipe(
          Effect.catchTag("FileMissing", (error) => (path === "" ? Effect.succeed(empty) : Effect.fail(error)))
        )
      })

      const readOnce = Effect.fnUntraced(function* (segments: ReadonlyArray<string>) {
        const { handle } = yield* root.file(segments)
        const before = yield* attempt(() => handle.stat())
        if (before.size > MAX_TEXT_BYTES) {
          return yield* new FileTooLarge({ message: "the file has more than 2 MB: download it instead" })
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
            return yield* new FileRefused({ message: "path: is not a file" })
          }
          const current = present === undefined ? 0 : timeOf(present)
          if (current !== mtime) return yield* changedSince(current)
          if (present === undefined) {
            if (!(yield* createFileAtomic(entry.at, bytes))) return yield* changedSince(1)
          } else yield* writeFileAtomic(entry.at, bytes, { isResolved: true })
          const written = yield* attempt(() => lstat(entry.at))
          if (timeOf(written) > current) return timeOf(written)
          // Two saves within a millisecond would look alike to the next reader.
          yield* attempt(() => lutimes(entry.at, written.atimeMs / 1000, (current + 1) / 1000))
          return current + 1
        },
        // Before the platform's context, which holds the scope of the whole service.
        Effect.scoped,
        Effect.provideContext(platform),
        Effect.catchTag("PlatformError", (cause) => Effect.fail(fileErrorOf(cause)))
      )

      const write = Effect.fn("WorkspaceFiles.write")(function* (path: string, content: string, mtime: number) {
        const segments = yield* required(path)
        const bytes = new TextEncoder().encode(content)
        if (bytes.length > MAX_TEXT_BYTES) return yield* new FileTooLarge({ message: "a file may have at most 2 MB" })
        yield* ensureRoot
        const saved = yield* locked(segments, save(segments, bytes, mtime))
        yield* announce(path, saved)
        return saved
      })

      const makeFolder = Effect.fn("WorkspaceFiles.makeFolder")(function* (path: string) {
        const segments = yield* required(path)
        yield* ensureRoot
        const entry = yield* root.entry(segments)
        yield* attempt(() => mkdir(entry.at))
        yield* announce(path, timeOf(yield* requireEntry(entry)))
      }, Effect.scoped)

      const relocate = Effect.fnUntraced(
        function* (path: string, from: ReadonlyArray<string>, to: ReadonlyArray<string>) {
          const source = yield* root.entry(from)
          const destination = yield* root.entry(to)
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
        if (target.length === 0) return yield* new FileRefused({ message: "to: is missing" })
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
        function* (folder: string, name: string, source: string) {
          const fs = yield* FileSystem.FileSystem
          const segments = [...(yield* parse(folder)), yield* Effect.fromResult(parseName(name, "file"))]
          const path = posix.join(...segments)
          yield* parse(path)
          yield* ensureRoot
          const entry = yield* root.entry(segments)
          const bytes = yield* fs.readFile(source)
          const created = yield* lockedEntries(
            [segments],
            createFileAtomic(entry.at, bytes).pipe(Effect.provideContext(platform))
          )
          if (!created) {
            return yield* new FileConflict({ message: "there is already something of that name: rename it first" })
          }
          const mtime = timeOf(yield* requireEntry(entry))
          yield* announce(path, mtime)
          return { path, mtime }
        },
        // Before the platform's context, which holds the scope of the whole service.
        Effect.scoped,
        Effect.provideContext(platform),
        Effect.catchTag("PlatformError", (cause) => Effect.fail(fileErrorOf(cause)))
      )

      const open = Effect.fn("WorkspaceFiles.open")(function* (path: string) {
        return yield* describeOpenFile(yield* root.file(yield* required(path)))
      })

      return WorkspaceFiles.of({ tree, read, write, makeFolder, move, rename, remove, trash, restore, upload, open })
    })
  )
}

const changedSince = (current: number) =>
  new FileConflict({
    message:
      current === 0
        ? "the file is gone: save it as a new one, with mtime 0"
        : "the file has changed since it was read: read it again, then save"
  })
