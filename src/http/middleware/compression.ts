import { Effect } from "effect"
import { HttpMiddleware, HttpPlatform } from "effect/http"
import type { Middleware } from "./Middleware.ts"

const compress = HttpMiddleware.compression()

/**
 * Compresses answers of 1 KB and more as the client accepts it. The event stream opts out by its own header, and assets
 * arrive here compressed already (SPEC "Global middleware order").
 */
export const compression = Effect.gen(function* () {
  const platform = yield* HttpPlatform.HttpPlatform
  const middleware: Middleware = (next) => Effect.provideService(compress(next), HttpPlatform.HttpPlatform, platform)
  return middleware
})
