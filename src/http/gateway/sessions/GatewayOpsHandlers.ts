import { Effect } from "effect"
import { Models } from "../../../services/gateway/models/Models.ts"
import { SessionSettings } from "../../../services/gateway/sessions/SessionSettings.ts"
import { MAIN_SESSION } from "../../../services/gateway/sessions/sessionSchemas.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { gatewayService } from "../gateways/unknownGateway.ts"

export const GatewayOpsHandlers = routeHandlers(
  "gatewayOps",
  Effect.fn(function* (handlers) {
    const serviceOf = yield* gatewayService
    return handlers.handleAll({
      models: Effect.fnUntraced(function* ({ query }) {
        const { list } = yield* serviceOf(Models, query)
        return { models: yield* list }
      }),
      sessionInfo: Effect.fnUntraced(function* ({ query }) {
        const sessions = yield* serviceOf(SessionSettings, query)
        return yield* sessions.info(query.sessionKey ?? MAIN_SESSION)
      }),
      sessionPatch: Effect.fnUntraced(function* ({ payload, query }) {
        const sessions = yield* serviceOf(SessionSettings, query)
        return { ok: true as const, ...(yield* sessions.patch(payload)) }
      })
    })
  })
)
