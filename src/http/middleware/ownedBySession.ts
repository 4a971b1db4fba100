import { IncomingMessage, ServerResponse } from "node:http"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Auth, type AuthShape, type Session } from "../../services/access/auth/Auth.ts"
import { authenticationRequired } from "./authentication.ts"
import type { RequestContext } from "./RequestContext.ts"

/** Calls `end` if the session of an open response ends before the response. */
export const endWithSession = (
  { onEnded }: Pick<AuthShape, "onEnded">,
  session: Session,
  response: ServerResponse,
  end: () => void
): void => {
  if (response.closed || response.destroyed) return
  response.on("close", onEnded(session, end))
}

/** Ends a stream that's complete at any point; what waits for a slow reader would keep it open, so that is cut. */
export const endStream = (response: ServerResponse): void => {
  if (response.headersSent && response.writableLength === 0) response.end()
  else response.destroy()
}

/**
 * Cuts what a session has open when the session ends: an answer that's still going out, however long it is, and a
 * request whose body is still coming in. An event stream and a relayed connection see to that themselves.
 */
export const ownedBySession = Effect.map(Auth, (auth) => {
  const own = ({ headers, now, request }: RequestContext, isOpen: (source: object) => boolean): boolean => {
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
  const isOwned = ({ route: { mark } }: RequestContext) =>
    auth.enabled && (mark.access === "session" || mark.access === "command")

  return {
    request: (context: RequestContext): void => {
      if (isOwned(context) && isComing(context.request.source)) own(context, isComing)
    },
    answer: (
      context: RequestContext,
      response: HttpServerResponse.HttpServerResponse
    ): HttpServerResponse.HttpServerResponse => {
      if (response.body._tag !== "Stream" || !isOwned(context) || own(context, always)) return response
      // The session has ended since the check; a command has none.
      return context.route.mark.access === "session" ? authenticationRequired() : response
    }
  }
})
