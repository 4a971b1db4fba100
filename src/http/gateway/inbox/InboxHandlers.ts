import { Effect } from "effect"
import { Inbox } from "../../../services/inbox/Inbox.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const DEFAULT_PAGE = 50

export const InboxHandlers = routeHandlers(
  "inbox",
  Effect.fn(function* (handlers) {
    const inbox = yield* Inbox
    return handlers.handleAll({
      list: ({ query: { state, kind = [], limit = DEFAULT_PAGE, offset = 0 } }) =>
        inbox.list({ state, kinds: kind, limit, offset }),
      get: ({ params }) => inbox.get(params.id),
      resolve: ({ params, payload }) => inbox.resolve(params.id, payload)
    })
  })
)
