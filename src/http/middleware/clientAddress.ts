import { Effect } from "effect"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import type { Middleware } from "./Middleware.ts"

/** Determines the client address of an API request. */
export const clientAddress = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const middleware: Middleware = (next) => (exchange) => {
    if (exchange.isApi) {
      exchange.client = trust.clientAddress({ peer: exchange.peer, headers: exchange.request.headers })
    }
    return next(exchange)
  }
  return middleware
})
