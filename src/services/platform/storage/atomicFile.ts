import { randomBytes } from "node:crypto"
import { Effect, FileSystem, Path } from "effect"

/** Sets permission bits; a file system without them refuses, which is ignored. */
export const setMode = (path: string, mode: number): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.ignore(fs.chmod(path, mode)))

/** Options of the atomic writers. */
export interface AtomicFileOptions {
  /** Permission bits of the new file; by default those of the file being replaced, else 0644. */
  readonly mode?: number
  /** The caller holds the folder and has already followed links, so the path is used as is. */
  readonly isResolved?: boolean
}

const DEFAULT_MODE = 0o644
const PERMISSION_BITS = 0o777

const syncDirectory = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const handle = yield* fs.open(directory, { flag: "r" })
  yield* handle.sync
}, Effect.scoped)

const writeTo = Effect.fnUntraced(function* (handle: FileSystem.File, contents: string | Uint8Array) {
  yield* handle.writeAll(typeof contents === "string" ? new TextEncoder().encode(contents) : contents)
  yield* handle.sync
})

const writeTemporary = Effect.fnUntraced(function* (path: string, contents: string | Uint8Array, mode: number) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  // Only the start of the name, so that a 255-byte name leaves room for the rest.
  const start = paths.basename(path).slice(0, 50).toWellFormed()
  const name = `.${start}.${randomBytes(6).toString("hex")}.tmp`
  const temporary = paths.join(paths.dirname(path), name)
  yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(temporary, { force: true })))
  const handle = yield* fs.open(temporary, { flag: "wx", mode })
  yield* setMode(temporary, mode)
  yield* writeTo(handle, contents)
  return temporary
})

/**
 * Creates or replaces a file in one step: after a crash or power cut, and for any reader, it has either the old
 * contents or the new ones, never part of them. The folder must exist. Callers that read first hold their own lock.
 */
export const writeFileAtomic = Effect.fn("writeFileAtomic")(
  function* (name: string, contents: string | Uint8Array, options: AtomicFileOptions = {}) {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    // A symbolic link is kept: the file it points to is replaced.
    const path = options.isResolved ? name : yield* fs.realPath(name).pipe(Effect.orElseSucceed(() => name))
    const present = fs.stat(path).pipe(
      Effect.map((info) => info.mode & PERMISSION_BITS),
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(DEFAULT_MODE))
    )
    const mode = options.mode ?? (yield* present)
    const temporary = yield* writeTemporary(path, contents, mode)
    yield* fs.rename(temporary, path)
    yield* syncDirectory(paths.dirname(path))
  },
  Effect.scoped,
  Effect.uninterruptible
)

/** For file systems without links: only one of several writers succeeds, but a crash may leave part of the file. */
const createInPlace = Effect.fnUntraced(function* (path: string, contents: string | Uint8Array, mode: number) {
  const fs = yield* FileSystem.FileSystem
  yield* writeTo(yield* fs.open(path, { flag: "wx", mode }), contents)
}, Effect.scoped)

/**
 * Creates a file in one step unless it already exists: of several writers, in any process, exactly one gets `true`. The
 * folder must exist.
 */
export const createFileAtomic = Effect.fn("createFileAtomic")(
  function* (path: string, contents: string | Uint8Array, options: AtomicFileOptions = {}) {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const mode = options.mode ?? DEFAULT_MODE
    const temporary = yield* writeTemporary(path, contents, mode)
    const created = yield* fs.link(temporary, path).pipe(
      Effect.catchTag("PlatformError", (error) =>
        error.reason._tag === "AlreadyExists" ? Effect.fail(error) : createInPlace(path, contents, mode)
      ),
      Effect.as(true),
      Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.succeed(false))
    )
    if (created) yield* syncDirectory(paths.dirname(path))
    return created
  },
  Effect.scoped,
  Effect.uninterruptible
)
