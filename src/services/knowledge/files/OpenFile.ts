import type { FileHandle } from "node:fs/promises"
import { posix } from "node:path"
import { Effect, Stream } from "effect"
import { attempt, type FileError, StorageFailure } from "../../platform/storage/fileErrors.ts"
import type { HeldFile } from "./GuardedRoot.ts"

const CHUNK_BYTES = 64 * 1024

/** An open file's bytes from `start` up to but not including `end`; fails if it was truncated meanwhile. */
export const fileBytes = (handle: FileHandle, start: number, end: number) =>
  Stream.unfold(start, (position) =>
    Effect.gen(function* () {
      if (position >= end) return undefined
      const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - position))
      const { bytesRead } = yield* attempt(() => handle.read(buffer, 0, buffer.length, position))
      if (bytesRead === 0) {
        return yield* new StorageFailure({
          message: "the file was truncated while it was being read",
          cause: undefined
        })
      }
      return [buffer.subarray(0, bytesRead), position + bytesRead] as const
    })
  )

/** A file open for reading; its bytes are those of the file that had the name when it was opened. */
export interface OpenFile {
  readonly name: string
  readonly size: number
  /** Epoch milliseconds. */
  readonly mtime: number
  /** Identifies this file in this state. */
  readonly version: string
  /** Bytes from `start` up to but not including `end`. */
  readonly bytes: (start: number, end: number) => Stream.Stream<Uint8Array, FileError>
}

/** Modification time in epoch milliseconds; at least 1, since 0 means a file that doesn't exist. */
export const timeOf = (info: { readonly mtimeMs: number }): number => Math.max(1, Math.trunc(info.mtimeMs))

/** The metadata of an open file. */
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
