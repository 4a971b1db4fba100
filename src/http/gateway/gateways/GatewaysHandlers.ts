import { Effect } from "effect"
import { Gateways } from "../../../services/gateway/registry/Gateways.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const GatewaysHandlers = routeHandlers(
  "gateways",
  Effect.fn(function* (handlers) {
    const gateways = yield* Gateways
    return handlers.handleAll({
      list: () => Effect.map(gateways.list, (list) => ({ gateways: list })),
      add: ({ payload }) => gateways.add(payload),
      change: ({ params, payload }) => gateways.change(params.id, payload),
      remove: ({ params }) => Effect.as(gateways.remove(params.id), { ok: true as const })
    })
  })
)
