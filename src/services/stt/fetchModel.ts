import { createHash } from "node:crypto"
import { Data, Effect, FileSystem, type PlatformError, Schedule, Stream } from "effect"
import { type HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { errnoOf, fileErrorOf } from "../files/fileErrors.ts"
import type { ModelFile } from "./modelCatalogue.ts"

/** A model could not be downloaded; a passing failure keeps what is there and may be tried again. */
export class DownloadFailed extends Data.TaggedError("DownloadFailed")<{
  readonly message: string
  readonly isPassing: boolean
}> {}

/** Where a download stands. */
export type Progress = (received: number, status: "downloading" | "verifying") => Effect.Effect<void>

export interface FetchModel {
  readonly url: string
  /** Where the whole file is put, in one step and only when it is verified. */
  readonly path: string
  readonly file: ModelFile
  readonly progress: Progress
}

const PATIENCE = "30 seconds"
const RETRIES = 4
/** Bytes hashed at once. */
const HASH_CHUNK = 256 * 1024
const FULL = new Set(["ENOSPC", "EDQUOT"])

const passing = (message: string) => new DownloadFailed({ message, isPassing: true })
const final = (message: string) => new DownloadFailed({ message, isPassing: false })

const BROKEN_OFF = passing("the download broke off: check the connection, then try again; it goes on where it stopped")
const UNREACHED = passing("the download address cannot be reached: check the connection and STT_MODEL_BASE_URL")
const STOOD_STILL = passing("the download stood still: try again; it goes on where it stopped")
const WRONG = final("what was downloaded is not the model: it was deleted; check STT_MODEL_BASE_URL, then try again")

const onDisk = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  Effect.mapError(effect, (cause) => {
    const error = fileErrorOf(cause)
    const why = error._tag === "FileMissing" ? "the folder is missing" : error.message
    return final(
      FULL.has(errnoOf(cause))
        ? "the disk is full: make room in the directory of the models, then try again"
        : `the model cannot be stored: ${why}`
    )
  })

const checksum = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Stream.runForEach(fs.stream(path, { chunkSize: HASH_CHUNK }), (chunk) => Effect.sync(() => hash.update(chunk)))
  return hash.digest("hex")
})

/** From where the answer goes on, in bytes; `undefined` when it is none that can be used. */
const startOf = (response: HttpClientResponse.HttpClientResponse, asked: number): number | undefined => {
  if (response.status === 200) return 0
  const begins = /^bytes (\d+)-/.exec(response.headers["content-range"] ?? "")?.[1]
  return response.status === 206 && Number(begins) === asked ? asked : undefined
}

/**
 * Downloads a model to `<path>.part`, going on where an earlier try stopped, and puts it at its path only when size and
 * checksum are right (D71).
 */
export const fetchModel = Effect.fn("fetchModel")(function* (
  client: HttpClient.HttpClient,
  { url, path, file, progress }: FetchModel
) {
  const fs = yield* FileSystem.FileSystem
  const part = `${path}.part`
  const remove = Effect.ignore(fs.remove(part, { force: true }))

  const present = fs.stat(part).pipe(
    Effect.map(({ size }) => Number(size)),
    Effect.orElseSucceed(() => 0),
    Effect.tap((size) => (size > file.bytes ? remove : Effect.void)),
    Effect.map((size) => (size > file.bytes ? 0 : size))
  )

  const receive = Effect.fnUntraced(function* (asked: number) {
    const request = HttpClientRequest.get(url).pipe(
      asked === 0 ? (same) => same : HttpClientRequest.setHeader("range", `bytes=${asked}-`)
    )
    const response = yield* client.execute(request).pipe(
      Effect.mapError(() => UNREACHED),
      Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(UNREACHED) })
    )
    const start = startOf(response, asked)
    if (start === undefined) {
      if (asked > 0) yield* remove
      return yield* response.status >= 500 || asked > 0
        ? passing(`the download address has a fault (${response.status}): try again later`)
        : final(`the download address does not have the model (${response.status}): check STT_MODEL_BASE_URL`)
    }
    const handle = yield* onDisk(fs.open(part, { flag: start === 0 ? "w" : "a" }))
    let received = start
    yield* response.stream.pipe(
      Stream.mapError(() => BROKEN_OFF),
      Stream.timeoutOrElse({ duration: PATIENCE, orElse: () => Stream.fail(STOOD_STILL) }),
      Stream.runForEach((chunk) => {
        received += chunk.length
        if (received > file.bytes) return Effect.andThen(remove, Effect.fail(WRONG))
        return Effect.andThen(onDisk(handle.writeAll(chunk)), progress(received, "downloading"))
      })
    )
    if (received < file.bytes) return yield* BROKEN_OFF
    yield* onDisk(handle.sync)
  }, Effect.scoped)

  const attempt = Effect.gen(function* () {
    const asked = yield* present
    yield* progress(asked, "downloading")
    if (asked < file.bytes) yield* receive(asked)
  })

  yield* attempt.pipe(
    Effect.retry({ while: ({ isPassing }) => isPassing, times: RETRIES, schedule: Schedule.exponential("1 second") }),
    Effect.tapError(({ isPassing }) => (isPassing ? Effect.void : remove))
  )
  yield* progress(file.bytes, "verifying")
  if ((yield* onDisk(checksum(part))) !== file.sha256) {
    yield* remove
    return yield* WRONG
  }
  yield* onDisk(fs.rename(part, path))
})
