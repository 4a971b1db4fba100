import { Effect } from "effect"
import { API_CACHING } from "./cachingRules.ts"
import type { Middleware } from "./Middleware.ts"

/** Caching of API responses; static files have their own rule. */
export const cacheHeaders: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  if (exchange.isApi) exchange.headers.push(API_CACHING)
  return next(exchange)
})
