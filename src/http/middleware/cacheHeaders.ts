import { Effect } from "effect"
import type { HeaderRecord } from "./Exchange.ts"
import type { Middleware } from "./Middleware.ts"

const API_CACHING: HeaderRecord = { "cache-control": "no-cache, no-store" }

/** API answers are never cached unless their route says otherwise; static files bring their own rule (SPEC "Static files"). */
export const cacheHeaders: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  if (exchange.isApi) exchange.headers.push(API_CACHING)
  return next(exchange)
})
