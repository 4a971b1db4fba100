import { type FileHandle, open } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { GitFailure } from "../../platform/process/runGit.ts"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { holdFileAt } from "../files/GuardedRoot.ts"

/** The repository contains a link, a pipe or an unreadable or foreign file, so no state is returned. */
export class GitUnusable extends Schema.TaggedError<GitUnusable>()("GitUnusable", {}) {}

/** The real paths that belong to the repository. */
export type IsOwn = (real: string) => boolean

const CHUNK_BYTES = 256 * 1024

const unusable = <A>(call: () => Promise<A>) => attempt(call).pipe(Effect.mapError(() => new GitUnusable()))

const tooLarge = (what: string) => new GitFailure({ message: `${what} is too large to be read`, cause: undefined })

/** Opens a regular file of a repository, also behind links in its path; `undefined` if it doesn't exist. */
const held = (path: string | Buffer, isOwn: IsOwn) =>
  holdFileAt(path, isOwn).pipe(
    Effect.catchTag("FileMissing", () => Effect.undefined),
    Effect.mapError(() => new GitUnusable())
  )

/**
 * Passes a file's bytes on in chunks that are valid until the next one; each begins with the last `overlap` bytes of
 * the previous one. Fails above `limit` bytes.
 */
const eachPiece = Effect.fnUntraced(function* (
  handle: FileHandle,
  { what, limit, overlap = 0 }: { readonly what: string; readonly limit: number; readonly overlap?: number },
  take: (piece: Buffer) => Effect.Effect<void, GitUnusable>
) {
  const info = yield* unusable(() => handle.stat())
  if (info.size > limit) return yield* tooLarge(what)
  const buffer = Buffer.allocUnsafe(overlap + Math.min(CHUNK_BYTES, info.size + 1))
  let kept = 0
  let total = 0
  while (true) {
    const { bytesRead } = yield* unusable(() => handle.read(buffer, kept, buffer.length - overlap))
    if (bytesRead === 0) return info
    total += bytesRead
    // It may be growing.
    if (total > limit) return yield* tooLarge(what)
    const end = kept + bytesRead
    yield* take(buffer.subarray(0, end))
    kept = Math.min(overlap, end)
    buffer.copyWithin(0, end - kept, end)
  }
})

/** Reads a small file, one character per byte, because names may be invalid text; `undefined` if it doesn't exist. */
export const readGitFile = Effect.fnUntraced(function* (
  path: string | Buffer,
  isOwn: IsOwn,
  what: string,
  limit: number
) {
  const file = yield* held(path, isOwn)
  if (file === undefined) return undefined
  const parts: Array<string> = []
  yield* eachPiece(file.handle, { what, limit }, (piece) =>
    Effect.sync(() => void parts.push(piece.toString("latin1")))
  )
  return parts.join("")
}, Effect.scoped)

/** Reads a file in chunks, each after the last `overlap` bytes of the previous one. */
export const scanGitFile = Effect.fnUntraced(function* (
  path: string,
  isOwn: IsOwn,
  size: { readonly what: string; readonly limit: number; readonly overlap: number },
  look: (piece: Buffer) => void
) {
  const file = yield* held(path, isOwn)
  if (file !== undefined) yield* eachPiece(file.handle, size, (piece) => Effect.sync(() => look(piece)))
}, Effect.scoped)

/** Copies a file with its time, in whole microseconds and never later; `false` if there is none. */
export const copyGitFile = Effect.fnUntraced(function* (
  path: string,
  isOwn: IsOwn,
  size: { readonly what: string; readonly limit: number },
  target: string
) {
  const file = yield* held(path, isOwn)
  if (file === undefined) return false
  const copy = yield* Effect.acquireRelease(
    attempt(() => open(target, "wx", 0o600)),
    (handle) => Effect.ignore(attempt(() => handle.close()))
  ).pipe(Effect.mapError(() => new GitUnusable()))
  const info = yield* eachPiece(file.handle, size, (piece) => unusable(() => copy.writeFile(piece)))
  const seconds = Math.floor(info.mtimeMs * 1000) / 1_000_000
  yield* unusable(() => copy.utimes(seconds, seconds))
  return true
}, Effect.scoped)
