import { Context, Effect, FileSystem, Layer, Path, type PlatformError } from "effect"
import { writeFileAtomic } from "./atomicFile.ts"
import { mtimeOf } from "./mtime.ts"
import { PathLocks } from "./PathLocks.ts"
import { orStorageFailure, StorageFailure } from "./StorageFailure.ts"

/** What an edit wants: a new text for the file (`undefined` leaves it alone) and the value to answer. */
export interface TextEdit<A> {
  readonly text: string | undefined
  readonly value: A
}

export interface TextFilesShape {
  /** The text of a file, `undefined` when there is none. `what` names it in errors. */
  readonly read: (path: string, what: string) => Effect.Effect<string | undefined, StorageFailure>
  /** Replaces a text file under its path's lock; makes missing folders. The rule sees `undefined` for a missing file. */
  readonly edit: <A, E>(
    path: string,
    what: string,
    rule: (text: string | undefined) => Effect.Effect<TextEdit<A>, E>
  ) => Effect.Effect<A, StorageFailure | E>
  /** Whether the file is still as `edit` left it here: its modification time, in epoch milliseconds, is that of our write. */
  readonly isOwnWrite: (path: string, mtime: number) => Effect.Effect<boolean>
}

/** Largest text the console edits as a whole, in bytes. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** Keeps a byte order mark and refuses what is not UTF-8, so that writing a text back never changes other bytes. */
const decodeText = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

const unusable = (what: string, why: string) => new StorageFailure({ message: `${what} ${why}`, cause: undefined })

/** Whole text files, read and rewritten without losing a byte to a crash or to another writer (D50). */
export class TextFiles extends Context.Service<TextFiles, TextFilesShape>()("agent-console/services/files/TextFiles") {
  static readonly layer = Layer.effect(
    TextFiles,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const locks = yield* PathLocks
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()

      const ownWrites = new Map<string, number>()

      const readBytes = Effect.fnUntraced(function* (path: string, what: string) {
        const info = yield* fs.stat(path)
        if (info.type !== "File") return yield* unusable(what, "is not a file: move it out of the way")
        if (info.size > MAX_TEXT_BYTES) return yield* unusable(what, "is too large to be edited here")
        return yield* fs.readFile(path)
      })

      const read = Effect.fn("TextFiles.read")(function* (path: string, what: string) {
        const bytes = yield* readBytes(path, what).pipe(
          Effect.catchReason("PlatformError", "NotFound", () => Effect.void),
          Effect.catchTag("PlatformError", (error: PlatformError.PlatformError) =>
            orStorageFailure(`${what} cannot be read`)(Effect.fail(error))
          )
        )
        if (bytes === undefined) return undefined
        return yield* Effect.try({
          try: () => decodeText(bytes),
          catch: () => unusable(what, "is not UTF-8 text: convert it, so that no byte of it is lost")
        })
      })

      const write = Effect.fnUntraced(
        function* (path: string, text: string) {
          yield* fs.makeDirectory(paths.dirname(path), { recursive: true })
          yield* writeFileAtomic(path, text)
          ownWrites.set(path, mtimeOf(yield* fs.stat(path)))
        },
        Effect.provideContext(platform),
        Effect.uninterruptible
      )

      const edit: TextFilesShape["edit"] = (path, what, rule) =>
        Effect.gen(function* () {
          const { text, value } = yield* rule(yield* read(path, what))
          if (text !== undefined) yield* write(path, text).pipe(orStorageFailure(`${what} cannot be written`))
          return value
        }).pipe(locks.withLock(path))

      const isOwnWrite: TextFilesShape["isOwnWrite"] = (path, mtime) =>
        Effect.sync(() => ownWrites.get(path) === mtime).pipe(locks.withLock(path))

      return TextFiles.of({ read, edit, isOwnWrite })
    })
  )
}
