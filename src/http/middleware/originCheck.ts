import { Effect } from "effect"
import type { OriginRefusal } from "../../services/trust/originRules.ts"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Middleware } from "./Middleware.ts"

const SENTENCES: Readonly<Record<OriginRefusal, string>> = {
  cross_site: "this change was asked for by a page of another site; add its address to ALLOWED_ORIGINS to allow it",
  unknown_host: "the console does not answer to this host name; add its address to ALLOWED_ORIGINS to allow it"
}

/** 403 with the reason in words; the same answer for requests and upgrades. */
export const refusedResponse = (refusal: OriginRefusal) => errorResponse(403, "forbidden", SENTENCES[refusal])

/** Refuses changes that another site asks for, and foreign host names while auth is off (D12). */
export const originCheck = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const middleware: Middleware = (next) => (exchange) => {
    const refusal = trust.refuseRequest(exchange.request.method, exchange.request.headers)
    return refusal === undefined ? next(exchange) : Effect.succeed(refusedResponse(refusal))
  }
  return middleware
})
