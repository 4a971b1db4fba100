import { isUtf8 } from "node:buffer"
import { Context, Effect, FileSystem, Layer, Option, Path, type PlatformError, Schema } from "effect"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { orStorageFailure, StorageFailure } from "../../platform/storage/fileErrors.ts"
import { PathLocks } from "../../platform/storage/PathLocks.ts"

/** Modification time in epoch milliseconds, truncated; 0 if the file system has none. */
export const mtimeOf = (info: FileSystem.File.Info): number =>
  Option.match(info.mtime, { onNone: () => 0, onSome: (mtime) => Math.trunc(mtime.getTime()) })

/** The result of an edit: the file's new text (`undefined` means no change) and the value to return. */
export interface TextEdit<A> {
  readonly text: string | undefined
  readonly value: A
}

/** A text for display, which must not be written back. */
export interface LooseText {
  readonly text: string
  /** Whether some bytes aren't UTF-8; edits are refused until the file is converted. */
  readonly isDamaged: boolean
}

export interface TextFilesShape {
  /** A file's text, or `undefined` if it doesn't exist. `what` names it in errors. */
  readonly read: (path: string, what: string) => Effect.Effect<string | undefined, StorageFailure>
  /** The same for a file that may contain invalid UTF-8, which is replaced with U+FFFD. */
  readonly readLoosely: (path: string, what: string) => Effect.Effect<LooseText | undefined, StorageFailure>
  /** Replaces a text file under its path's lock and creates missing folders; the rule gets `undefined` if it's missing. */
  readonly edit: <A, E>(
    path: string,
    what: string,
    rule: (text: string | undefined) => Effect.Effect<TextEdit<A>, E>
  ) => Effect.Effect<A, StorageFailure | E>
  /**
   * Whether the file is unchanged since our `edit`: its modification time, in epoch milliseconds, is that of our write.
   */
  readonly isOwnWrite: (path: string, mtime: number) => Effect.Effect<boolean>
}

/** Largest text the console edits, in bytes. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** Keeps a byte order mark and rejects anything but UTF-8, so that saving a text never changes other bytes. */
const decodeText = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

const unusable = (what: string, why: string) => new StorageFailure({ message: `${what} ${why}`, cause: undefined })

/** Whole text files, read and rewritten without losing a byte to a crash or to another writer. */
export class TextFiles extends Context.Service<TextFiles, TextFilesShape>()(
  "agent-console/services/knowledge/files/TextFiles"
) {
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
        if (info.type !== "File") return yield* unusable(what, "isn't a file: move it out of the way")
        if (info.size > MAX_TEXT_BYTES) return yield* unusable(what, "is too large to edit here")
        return yield* fs.readFile(path)
      })

      const bytesOf = (path: string, what: string) =>
        readBytes(path, what).pipe(
          Effect.catchReason("PlatformError", "NotFound", () => Effect.void),
          Effect.catchTag("PlatformError", (error: PlatformError.PlatformError) =>
            orStorageFailure(`couldn't read ${what}`)(Effect.fail(error))
          )
        )

      const readLoosely = Effect.fn("TextFiles.readLoosely")(function* (path: string, what: string) {
        const bytes = yield* bytesOf(path, what)
        if (bytes === undefined) return undefined
        return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), isDamaged: !isUtf8(bytes) }
      })

      const read = Effect.fn("TextFiles.read")(function* (path: string, what: string) {
        const bytes = yield* bytesOf(path, what)
        if (bytes === undefined) return undefined
        return yield* Effect.try({
          try: () => decodeText(bytes),
          catch: () => unusable(what, "isn't UTF-8 text: convert it first, so that nothing is lost")
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
          if (text !== undefined) yield* write(path, text).pipe(orStorageFailure(`couldn't write ${what}`))
          return value
        }).pipe(locks.withLock(path))

      const isOwnWrite: TextFilesShape["isOwnWrite"] = (path, mtime) =>
        Effect.sync(() => ownWrites.get(path) === mtime).pipe(locks.withLock(path))

      return TextFiles.of({ read, readLoosely, edit, isOwnWrite })
    })
  )
}

/** The text has changed since the version in the request. */
export class TextChanged extends Schema.TaggedError<TextChanged>()("TextChanged", {}) {}
