import { Effect } from "effect"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { API_CACHING } from "./cachingRules.ts"
import type { Check } from "./Middleware.ts"
import { protectionHeaders } from "./protectionHeaders.ts"

/** Caching of API responses; static files have their own rule. */
export const cacheHeaders = Effect.gen(function* () {
  const standing = { ...protectionHeaders(yield* Settings), ...API_CACHING }
  const check: Check = (exchange) => {
    if (exchange.isApi) exchange.standing = standing
    return undefined
  }
  return check
})
