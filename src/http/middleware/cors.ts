import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HeaderRecord } from "../../node/missingHeaders.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { RouteTable } from "../RouteTable.ts"
import type { Check } from "./Middleware.ts"

const VARY: HeaderRecord = { vary: "Origin" }
const PREFLIGHT: HeaderRecord = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers": "Content-Type, Authorization",
  "access-control-max-age": "600"
}
/** Response headers a page from another allowed origin may read. */
const EXPOSED = "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

/** Allows cross-origin reading for the allowed origins. */
export const cors = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = ({ headers: { origin }, extra }) => {
    const isAllowed = origin !== undefined && trust.isAllowedOrigin(origin)
    if (origin !== undefined) extra.push(VARY)
    if (isAllowed) {
      extra.push({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "access-control-expose-headers": EXPOSED
      })
    }
    return undefined
  }
  return check
})

/** Answers every OPTIONS request. */
export const preflight = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const routes = yield* RouteTable
  const check: Check = ({ method, path, headers: { origin } }) => {
    if (method !== "OPTIONS") return undefined
    const isAllowed = origin !== undefined && trust.isAllowedOrigin(origin)
    const allowed = routes.methodsOf(path)
    const allow: HeaderRecord = allowed.length > 0 ? { allow: allowed.join(", ") } : {}
    return HttpServerResponse.empty({ status: 204, headers: isAllowed ? { ...PREFLIGHT, ...allow } : allow })
  }
  return check
})
