import { IncomingMessage, ServerResponse } from "node:http"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Auth } from "../../services/access/auth/Auth.ts"
import { endWithSession } from "../access/auth/endWithSession.ts"
import { authenticationRequired } from "./authentication.ts"
import type { Exchange } from "./Exchange.ts"

/**
 * Cuts what a session has open when the session ends: an answer that's still going out, however long it is, and a
 * request whose body is still coming in. An event stream and a relayed connection see to that themselves.
 */
export const ownedBySession = Effect.map(Auth, (auth) => {
  const own = ({ headers, now, request }: Exchange, isOpen: (source: object) => boolean): boolean => {
    const owner = auth.sessionOf(headers.cookie, now)
    if (owner === undefined) return false
    const response: unknown = NodeHttpServerRequest.toServerResponse(request)
    if (response instanceof ServerResponse) {
      endWithSession(auth, owner, response, () => {
        if (isOpen(request.source)) response.destroy()
      })
    }
    return true
  }
  const isComing = (source: object) => source instanceof IncomingMessage && !source.complete
  const always = () => true
  const isOwned = ({ route: { mark } }: Exchange) =>
    auth.enabled && (mark.access === "session" || mark.access === "command")

  return {
    request: (exchange: Exchange): void => {
      if (isOwned(exchange) && isComing(exchange.request.source)) own(exchange, isComing)
    },
    answer: (
      exchange: Exchange,
      response: HttpServerResponse.HttpServerResponse
    ): HttpServerResponse.HttpServerResponse => {
      if (response.body._tag !== "Stream" || !isOwned(exchange) || own(exchange, always)) return response
      // The session has ended since it was let in; a command has none.
      return exchange.route.mark.access === "session" ? authenticationRequired() : response
    }
  }
})
