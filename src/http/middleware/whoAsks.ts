import { Effect } from "effect"
import { Auth } from "../../services/access/auth/Auth.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { peerOf } from "./Exchange.ts"
import type { Check } from "./Middleware.ts"

/**
 * Looks for a request's session, and determines whom its limits count for: that session, so that nobody else at its
 * address spends them, else its address.
 */
export const whoAsks = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const auth = yield* Auth
  const check: Check = (exchange) => {
    const { headers, now, route } = exchange
    if (route.mark.access === "own") return undefined
    const session = auth.sessionOf(headers.cookie, now)
    exchange.session = session
    exchange.client =
      session === undefined ? trust.countedAddress({ peer: peerOf(exchange), headers }) : `session ${session.digest}`
    return undefined
  }
  return check
})
