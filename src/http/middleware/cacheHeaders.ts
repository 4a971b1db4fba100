import { Effect } from "effect"
import { API_CACHING } from "./cachingRules.ts"
import type { Middleware } from "./Middleware.ts"

/** The caching of API answers; static files bring their own rule (SPEC "Static files"). */
export const cacheHeaders: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  if (exchange.isApi) exchange.headers.push(API_CACHING)
  return next(exchange)
})
