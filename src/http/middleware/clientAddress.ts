import { Effect } from "effect"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { peerOf } from "./Exchange.ts"
import type { Check } from "./Middleware.ts"

/** Determines the client address of an API request. */
export const clientAddress = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = (exchange) => {
    if (exchange.isApi) {
      exchange.client = trust.clientAddress({ peer: peerOf(exchange), headers: exchange.headers })
    }
    return undefined
  }
  return check
})
