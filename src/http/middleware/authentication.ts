import { Effect } from "effect"
import { Auth } from "../../services/access/auth/Auth.ts"
import { LocalAccess } from "../../services/access/local/LocalAccess.ts"
import { SECRET_HEADER } from "../../services/access/local/readAccess.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { errorResponse } from "../apiResponse.ts"
import { type Check, peerOf } from "./RequestContext.ts"

/** 401 with the text that clients compare. */
export const authenticationRequired = () => errorResponse(401, "Authentication required")

/**
 * Looks up a request's session and sets the key of its limits: the session, so that other clients at its address don't
 * use them up, otherwise the address.
 */
export const identifyClient = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const auth = yield* Auth
  const check: Check = (context) => {
    const { headers, now, route } = context
    if (route.mark.access === "own") return undefined
    const session = auth.sessionOf(headers.cookie, now)
    context.session = session
    context.client =
      session === undefined ? trust.countedAddress({ peer: peerOf(context), headers }) : `session ${session.digest}`
    return undefined
  }
  return check
})

/**
 * While sign-in is on, every route needs a valid session unless its mark says otherwise. A command's secret is always
 * checked.
 */
export const authentication = Effect.gen(function* () {
  const auth = yield* Auth
  const local = yield* LocalAccess
  const check: Check = ({ route: { mark }, headers, session }) => {
    const secret = mark.access === "command" ? headers[SECRET_HEADER] : undefined
    if (secret !== undefined) return local.isRight(secret) ? undefined : authenticationRequired()
    if (mark.access === "open" || mark.access === "own" || !auth.enabled || session !== undefined) return undefined
    return authenticationRequired()
  }
  return check
})
