import { type FileHandle, open } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { GitFailure } from "../../platform/process/runGit.ts"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { holdFileAt } from "../files/GuardedRoot.ts"

/** Something in the repository is a link, a pipe, unreadable or not what git writes: nothing is told of it. */
export class GitUnusable extends Schema.TaggedError<GitUnusable>()("GitUnusable", {}) {}

/** Which real paths belong to the repository. */
export type IsOwn = (real: string) => boolean

const CHUNK_BYTES = 1024 * 1024

const tooLarge = (what: string) =>
  new GitFailure({ message: `the repository's ${what} is too large to be read`, cause: undefined })

/** Opens a repository's file, no link and no pipe, wherever links before it lead; `undefined` if there is none. */
const held = (path: string | Buffer, isOwn: IsOwn) =>
  holdFileAt(path, isOwn).pipe(
    Effect.catchTag("FileMissing", () => Effect.undefined),
    Effect.mapError(() => new GitUnusable())
  )

/** Hands a file's bytes on in pieces that are only valid until the next one; fails if there are more than `limit`. */
const eachChunk = Effect.fnUntraced(function* (
  handle: FileHandle,
  what: string,
  limit: number,
  take: (chunk: Buffer) => Effect.Effect<void, GitUnusable>
) {
  const info = yield* attempt(() => handle.stat()).pipe(Effect.mapError(() => new GitUnusable()))
  if (info.size > limit) return yield* tooLarge(what)
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, info.size + 1))
  let total = 0
  while (true) {
    const { bytesRead } = yield* attempt(() => handle.read(buffer, 0, buffer.length)).pipe(
      Effect.mapError(() => new GitUnusable())
    )
    if (bytesRead === 0) return info
    total += bytesRead
    // It may be growing.
    if (total > limit) return yield* tooLarge(what)
    yield* take(buffer.subarray(0, bytesRead))
  }
})

/** Reads a small file, one character a byte, as names in it needn't be valid text; `undefined` if there is none. */
export const readGitFile = Effect.fnUntraced(function* (
  path: string | Buffer,
  isOwn: IsOwn,
  what: string,
  limit: number
) {
  const file = yield* held(path, isOwn)
  if (file === undefined) return undefined
  const parts: Array<string> = []
  yield* eachChunk(file.handle, what, limit, (chunk) => Effect.sync(() => void parts.push(chunk.toString("latin1"))))
  return parts.join("")
}, Effect.scoped)

/** Goes through a file's pieces, each after the last `overlap` bytes of the one before; `false` if there is none. */
export const scanGitFile = Effect.fnUntraced(function* (
  path: string,
  isOwn: IsOwn,
  what: string,
  limit: number,
  overlap: number,
  look: (piece: Buffer) => void
) {
  const file = yield* held(path, isOwn)
  if (file === undefined) return false
  let last = Buffer.alloc(0)
  yield* eachChunk(file.handle, what, limit, (chunk) =>
    Effect.sync(() => {
      const piece = Buffer.concat([last, chunk])
      look(piece)
      last = Buffer.from(piece.subarray(-overlap))
    })
  )
  return true
}, Effect.scoped)

/** Copies a file with its time, in whole microseconds and never later; `false` if there is none. */
export const copyGitFile = Effect.fnUntraced(function* (
  path: string,
  isOwn: IsOwn,
  what: string,
  limit: number,
  target: string
) {
  const file = yield* held(path, isOwn)
  if (file === undefined) return false
  const copy = yield* Effect.acquireRelease(
    attempt(() => open(target, "wx", 0o600)),
    (handle) => Effect.ignore(attempt(() => handle.close()))
  ).pipe(Effect.mapError(() => new GitUnusable()))
  const info = yield* eachChunk(file.handle, what, limit, (chunk) =>
    attempt(() => copy.writeFile(chunk)).pipe(Effect.mapError(() => new GitUnusable()))
  )
  const seconds = Math.floor(info.mtimeMs * 1000) / 1_000_000
  yield* attempt(() => copy.utimes(seconds, seconds)).pipe(Effect.mapError(() => new GitUnusable()))
  return true
}, Effect.scoped)
