import { ByteSize, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { bodyTooLarge } from "./errors.ts"
import type { Middleware } from "./Middleware.ts"

const GLOBAL_LIMIT = ByteSize.mebibytes(13)

/**
 * Routes with a limit of their own (D17). A workspace file of 100 KB grows in JSON by its escapes, at worst six bytes for
 * one, and a recording by the framing of its form: there the route itself checks what is inside.
 */
const ROUTE_LIMITS: ReadonlyArray<{
  readonly method: string
  readonly path: RegExp
  readonly limit: ByteSize.ByteSize
}> = [
  { method: "POST", path: /^\/api\/tts$/, limit: ByteSize.kibibytes(64) },
  { method: "POST", path: /^\/api\/agentlog$/, limit: ByteSize.kibibytes(64) },
  { method: "POST", path: /^\/api\/auth\/login$/, limit: ByteSize.kibibytes(64) },
  { method: "PUT", path: /^\/api\/workspace\//, limit: ByteSize.kibibytes(640) },
  { method: "POST", path: /^\/api\/transcribe$/, limit: ByteSize.kibibytes(12 * 1024 + 64) }
]

const BODILESS = new Set(["GET", "HEAD", "OPTIONS"])

/** How many bytes the body of a request may have. */
export const bodyLimitOf = (method: string, path: string): ByteSize.ByteSize =>
  ROUTE_LIMITS.find((route) => route.method === method && route.path.test(path))?.limit ?? GLOBAL_LIMIT

/**
 * Refuses a body over the limit: at once where Content-Length tells, else while it is read, so that never more than the
 * limit is held (SPEC "Limits", D17).
 */
export const bodyLimit: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  const { request, path } = exchange
  if (BODILESS.has(request.method)) return next(exchange)
  const limit = bodyLimitOf(request.method, path)
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > ByteSize.toNumberUnsafe(limit)) return Effect.succeed(bodyTooLarge())
  return Effect.provideService(next(exchange), HttpServerRequest.MaxBodySize, limit)
})
