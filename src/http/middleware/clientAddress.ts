import { Effect } from "effect"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import type { Middleware } from "./Middleware.ts"

/** Works out the address an API request counts for (D14). */
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
