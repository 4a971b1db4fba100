import { Effect } from "effect"
import { HttpMiddleware, HttpPlatform, type HttpServerResponse } from "effect/http"
import type { Answer } from "./Middleware.ts"

/** Compressing shorter bodies makes them larger. */
const MIN_BYTES = 1024

const compress = HttpMiddleware.compression({ minSize: MIN_BYTES })

const isWorthwhile = ({ headers, body }: HttpServerResponse.HttpServerResponse): boolean => {
  if (headers["content-encoding"] !== undefined) return false
  return body._tag === "Stream" || (body._tag === "Uint8Array" && body.contentLength >= MIN_BYTES)
}

/**
 * Compresses responses of 1 KB and more if the client accepts it. Never the event stream, which has no body at this
 * point, and never assets, which are already compressed.
 */
export const compression = Effect.map(
  HttpPlatform.HttpPlatform,
  (platform) =>
    (response: HttpServerResponse.HttpServerResponse): Answer =>
      isWorthwhile(response)
        ? Effect.provideService(compress(Effect.succeed(response)), HttpPlatform.HttpPlatform, platform)
        : Effect.succeed(response)
)
