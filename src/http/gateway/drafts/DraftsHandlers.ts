import { Effect } from "effect"
import { Drafts } from "../../../services/drafts/Drafts.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const DraftsHandlers = routeHandlers(
  "drafts",
  Effect.fn(function* (handlers) {
    const drafts = yield* Drafts
    return handlers.handleAll({
      get: ({ query }) => drafts.get(query.sessionKey),
      put: ({ payload }) => drafts.put(payload)
    })
  })
)
