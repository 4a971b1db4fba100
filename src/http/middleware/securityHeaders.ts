import { Effect } from "effect"
import { Settings } from "../../services/settings/Settings.ts"
import type { Middleware } from "./Middleware.ts"
import { protectionHeaders } from "./protectionHeaders.ts"

/** Puts the protections on every answer, worked out once. */
export const securityHeaders = Effect.gen(function* () {
  const protections = protectionHeaders(yield* Settings)
  const middleware: Middleware = (next) => (exchange) => {
    exchange.headers.push(protections)
    return next(exchange)
  }
  return middleware
})
