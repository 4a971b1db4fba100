import { Effect } from "effect"
import type { OriginRefusal } from "../../services/access/trust/originRules.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { errorResponse } from "../apiResponse.ts"
import { UNMATCHED } from "./Exchange.ts"
import type { Check } from "./Middleware.ts"

const SENTENCES: Readonly<Record<OriginRefusal, string>> = {
  cross_site: "a page of another site requested this; add that site's address to ALLOWED_ORIGINS to allow it",
  unknown_host: "the console doesn't accept requests for this host name; add its address to ALLOWED_ORIGINS to allow it"
}

/** 403 with the reason; the same for requests and upgrades. */
export const refusedResponse = (refusal: OriginRefusal) => errorResponse(403, "forbidden", SENTENCES[refusal])

/** Rejects changes and preflights of other sites' pages, and unknown host names while auth is off. */
export const originCheck = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = ({ method, headers }) => {
    const refusal = trust.refuseRequest(method, headers)
    return refusal === undefined ? undefined : refusedResponse(refusal)
  }
  return check
})

/**
 * Rejects whatever another site's page requests of the API, reading too: it couldn't read the answer, but would spend
 * the person's limits. A link to the app's pages is followed from anywhere.
 */
export const foreignPages = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = ({ route, headers }) => {
    if (!route.pattern.startsWith("/api/") && route !== UNMATCHED) return undefined
    const refusal = trust.refuseForeign(headers)
    return refusal === undefined ? undefined : refusedResponse(refusal)
  }
  return check
})
