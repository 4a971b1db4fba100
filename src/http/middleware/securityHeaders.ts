import { Effect } from "effect"
import { Settings } from "../../services/platform/settings/Settings.ts"
import type { Middleware } from "./Middleware.ts"
import { protectionHeaders } from "./protectionHeaders.ts"

/** Adds the security headers, computed once, to every response. */
export const securityHeaders = Effect.gen(function* () {
  const protections = protectionHeaders(yield* Settings)
  const middleware: Middleware = (next) => (exchange) => {
    exchange.headers.push(protections)
    return next(exchange)
  }
  return middleware
})
