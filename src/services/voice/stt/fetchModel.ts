import { createHash } from "node:crypto"
import { Data, Effect, FileSystem, type PlatformError, Schedule, Stream } from "effect"
import type { HttpClient, HttpClientResponse } from "effect/http"
import { isRedirect, publicDownload } from "../../platform/outgoing/OutgoingHttp.ts"
import { errnoOf, fileErrorOf } from "../../platform/storage/fileErrors.ts"
import type { ModelFile } from "./SttSettings.ts"

/** A model couldn't be downloaded; a temporary failure keeps the partial file and can be retried. */
export class DownloadFailed extends Data.TaggedError("DownloadFailed")<{
  readonly message: string
  readonly isPassing: boolean
}> {}

/** A download's progress. */
export type Progress = (received: number, status: "downloading" | "verifying") => Effect.Effect<void>

export interface FetchModel {
  readonly url: string
  /** The path of the complete file, which is moved there after verification. */
  readonly path: string
  readonly file: ModelFile
  readonly progress: Progress
}

const PATIENCE = "30 seconds"
const RETRIES = 4
/** Bytes hashed at a time. */
const HASH_CHUNK = 256 * 1024
const FULL = new Set(["ENOSPC", "EDQUOT"])

const passing = (message: string) => new DownloadFailed({ message, isPassing: true })
const final = (message: string) => new DownloadFailed({ message, isPassing: false })

const BROKEN_OFF = passing("the download was interrupted: check the connection, then try again to resume it")
const UNREACHED = passing("couldn't reach the download address: check the connection and STT_MODEL_BASE_URL")
const STOOD_STILL = passing("the download stalled: try again to resume it")
const WRONG = final("the downloaded file isn't the model, so it was deleted: check STT_MODEL_BASE_URL, then try again")

const LED_ASTRAY = final(
  "the download server leads on to an address that isn't HTTPS, or too often: check STT_MODEL_BASE_URL"
)

const onDisk = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  Effect.mapError(effect, (cause) => {
    const error = fileErrorOf(cause)
    const why = error._tag === "FileMissing" ? "the folder is missing" : error.message
    return final(
      FULL.has(errnoOf(cause))
        ? "the disk is full: free up some space for the models, then try again"
        : `couldn't save the model: ${why}`
    )
  })

const checksum = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Stream.runForEach(fs.stream(path, { chunkSize: HASH_CHUNK }), (chunk) => Effect.sync(() => hash.update(chunk)))
  return hash.digest("hex")
})

/** The offset at which the response continues, in bytes; `undefined` if it isn't usable. */
const startOf = (response: HttpClientResponse.HttpClientResponse, asked: number): number | undefined => {
  if (response.status === 200) return 0
  const begins = /^bytes (\d+)-/.exec(response.headers["content-range"] ?? "")?.[1]
  return response.status === 206 && Number(begins) === asked ? asked : undefined
}

/**
 * Downloads a model to `<path>.part`, resuming an earlier attempt, and moves it to its path only if size and checksum
 * match.
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
    const response = yield* publicDownload(client, url, asked).pipe(
      Effect.mapError(() => UNREACHED),
      Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(UNREACHED) })
    )
    if (isRedirect(response.status)) return yield* LED_ASTRAY
    const start = startOf(response, asked)
    if (start === undefined) {
      if (asked > 0) yield* remove
      return yield* response.status >= 500 || asked > 0
        ? passing(`the download server failed (${response.status}): try again later`)
        : final(`the download server doesn't have the model (${response.status}): check STT_MODEL_BASE_URL`)
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
