import { Effect } from "effect"
import { HttpMiddleware, HttpPlatform, type HttpServerResponse } from "effect/http"
import type { Middleware } from "./Middleware.ts"

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
export const compression = Effect.gen(function* () {
  const platform = yield* HttpPlatform.HttpPlatform
  const middleware: Middleware = (next) => (exchange) =>
    Effect.flatMap(next(exchange), (response) => {
      const answer = Effect.succeed(response)
      return isWorthwhile(response)
        ? Effect.provideService(compress(answer), HttpPlatform.HttpPlatform, platform)
        : answer
    })
  return middleware
})
