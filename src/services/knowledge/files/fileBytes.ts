import type { FileHandle } from "node:fs/promises"
import { Effect, Stream } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { StorageFailure } from "../../platform/storage/StorageFailure.ts"

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
