import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import type { HeaderRecord } from "../headers.ts"
import { RouteTable } from "../RouteTable.ts"
import type { Middleware } from "./Middleware.ts"

const VARY: HeaderRecord = { vary: "Origin" }
const PREFLIGHT: HeaderRecord = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers": "Content-Type, Authorization",
  "access-control-max-age": "600"
}
/** What a page of another allowed origin may read besides the body. */
const EXPOSED = "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

/** Cross-origin reading for the allowed origins, and the answer to every OPTIONS request (SPEC "Browser protections", D13). */
export const cors = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const routes = yield* RouteTable
  const middleware: Middleware = (next) => (exchange) => {
    const { method, headers } = exchange.request
    const origin = headers.origin
    const isAllowed = origin !== undefined && trust.isAllowedOrigin(origin)
    if (origin !== undefined) exchange.headers.push(VARY)
    if (isAllowed) {
      exchange.headers.push({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "access-control-expose-headers": EXPOSED
      })
    }
    if (method !== "OPTIONS") return next(exchange)
    const allowed = routes.methodsOf(exchange.path)
    const allow: HeaderRecord = allowed.length > 0 ? { allow: allowed.join(", ") } : {}
    return Effect.succeed(
      HttpServerResponse.empty({ status: 204, headers: isAllowed ? { ...PREFLIGHT, ...allow } : allow })
    )
  }
  return middleware
})
