import { Effect } from "effect"
import { Auth } from "../../services/access/auth/Auth.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { peerOf } from "./Exchange.ts"
import type { Check } from "./Middleware.ts"

/**
 * Determines whom a request's limits count for: its session, so that nobody else at its address spends them, else its
 * address.
 */
export const countedClient = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const auth = yield* Auth
  const check: Check = (exchange) => {
    const { headers, now, route } = exchange
    if (route.mark.rate === undefined) return undefined
    const session = auth.sessionOf(headers.cookie, now)
    exchange.client =
      session === undefined ? trust.countedAddress({ peer: peerOf(exchange), headers }) : `session ${session.digest}`
    return undefined
  }
  return check
})
