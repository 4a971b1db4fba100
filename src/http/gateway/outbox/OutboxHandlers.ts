import { Effect } from "effect"
import { Outbox } from "../../../services/outbox/Outbox.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const OK = { ok: true } as const

export const OutboxHandlers = routeHandlers(
  "outbox",
  Effect.fn(function* (handlers) {
    const outbox = yield* Outbox
    return handlers.handleAll({
      list: ({ query }) => Effect.map(outbox.list(query.sessionKey), (items) => ({ items })),
      add: ({ payload }) => outbox.add(payload),
      change: ({ params, payload }) => outbox.change(params.id, payload),
      remove: ({ params }) => Effect.as(outbox.remove(params.id), OK),
      resolve: ({ params, payload }) => Effect.as(outbox.resolve(params.id, payload), OK)
    })
  })
)
