import { Effect } from "effect"
import { Settings } from "../../services/settings/Settings.ts"
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts"
import type { HeaderRecord } from "./Exchange.ts"
import type { Middleware } from "./Middleware.ts"

/** The headers of SPEC "Browser protections", with the policy worked out at the first request and kept. */
export const securityHeaders = Effect.gen(function* () {
  const settings = yield* Settings
  let computed: HeaderRecord | undefined
  const protections = (): HeaderRecord => {
    computed ??= {
      "content-security-policy": contentSecurityPolicy(settings.cspConnectExtra),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "x-xss-protection": "1; mode=block",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "referrer-policy": "strict-origin-when-cross-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store"
    }
    return computed
  }
  const middleware: Middleware = (next) => (exchange) => {
    exchange.headers.push(protections())
    return next(exchange)
  }
  return middleware
})
