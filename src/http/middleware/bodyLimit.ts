import { ByteSize, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { MAX_UPLOADED_FILE } from "../../contract/answers/UploadAnswers.ts"
import type { Exchange } from "./Exchange.ts"
import { bodyTooLarge } from "./errors.ts"
import type { Answer, Check } from "./Middleware.ts"

const GLOBAL_LIMIT = ByteSize.mebibytes(13)

/**
 * Routes with their own limit. Base64 makes attachments larger by a third. JSON escapes make a draft or a 100 KB workspace file larger, by a factor of six at worst, and a
 * recording has its multipart framing: in both cases the route itself checks the content.
 */
const ROUTE_LIMITS: ReadonlyArray<{
  readonly method: string
  readonly path: RegExp
  readonly limit: ByteSize.ByteSize
}> = [
  { method: "POST", path: /^\/api\/tts$/, limit: ByteSize.kibibytes(64) },
  { method: "POST", path: /^\/api\/agentlog$/, limit: ByteSize.kibibytes(64) },
  { method: "POST", path: /^\/api\/auth\/login$/, limit: ByteSize.kibibytes(64) },
  { method: "POST", path: /^\/mcp$/, limit: ByteSize.mebibytes(1) },
  { method: "POST", path: /^\/api\/outbox$/, limit: ByteSize.megabytes(17) },
  { method: "POST", path: /^\/api\/uploads$/, limit: ByteSize.bytes(MAX_UPLOADED_FILE) },
  { method: "PUT", path: /^\/api\/drafts$/, limit: ByteSize.mebibytes(3) },
  { method: "PUT", path: /^\/api\/workspace\//, limit: ByteSize.kibibytes(640) },
  { method: "POST", path: /^\/api\/transcribe$/, limit: ByteSize.kibibytes(12 * 1024 + 64) }
]

const BODILESS = new Set(["GET", "HEAD", "OPTIONS"])

/** The maximum size of a request's body, in bytes. */
export const bodyLimitOf = (method: string, path: string): ByteSize.ByteSize =>
  ROUTE_LIMITS.find((route) => route.method === method && route.path.test(path))?.limit ?? GLOBAL_LIMIT

/** Rejects a body over the limit at once if Content-Length says so. */
export const bodyLimit: Effect.Effect<Check> = Effect.succeed(({ method, path, headers }) => {
  const declared = headers["content-length"]
  if (declared === undefined || BODILESS.has(method)) return undefined
  return Number(declared) > ByteSize.toNumberUnsafe(bodyLimitOf(method, path)) ? bodyTooLarge() : undefined
})

/** Ends the reading of a longer body, so that no more than the limit is ever held in memory. */
export const readWithinLimit = ({ method, path }: Exchange, answer: Answer): Answer =>
  BODILESS.has(method)
    ? answer
    : Effect.provideService(answer, HttpServerRequest.MaxBodySize, bodyLimitOf(method, path))
