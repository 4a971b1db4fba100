import { Effect } from "effect"
import type { OriginRefusal } from "../../services/access/trust/originRules.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Check } from "./Middleware.ts"

const SENTENCES: Readonly<Record<OriginRefusal, string>> = {
  cross_site: "this change was requested by a page from another site; add its address to ALLOWED_ORIGINS to allow it",
  unknown_host: "the console doesn't accept requests for this host name; add its address to ALLOWED_ORIGINS to allow it"
}

/** 403 with the reason; the same for requests and upgrades. */
export const refusedResponse = (refusal: OriginRefusal) => errorResponse(403, "forbidden", SENTENCES[refusal])

/** Rejects changes requested by other sites, and unknown host names while auth is off. */
export const originCheck = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = ({ method, headers }) => {
    const refusal = trust.refuseRequest(method, headers)
    return refusal === undefined ? undefined : refusedResponse(refusal)
  }
  return check
})
