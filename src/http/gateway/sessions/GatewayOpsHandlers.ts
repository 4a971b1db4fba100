import { Effect } from "effect"
import { Models } from "../../../services/gateway/models/Models.ts"
import { SessionSettings } from "../../../services/gateway/sessions/SessionSettings.ts"
import { MAIN_SESSION } from "../../../services/gateway/sessions/sessionSchemas.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const GatewayOpsHandlers = routeHandlers(
  "gatewayOps",
  Effect.fn(function* (handlers) {
    const models = yield* Models
    const sessions = yield* SessionSettings
    return handlers.handleAll({
      models: () => Effect.map(models.list, (list) => ({ models: list })),
      sessionInfo: ({ query }) => sessions.info(query.sessionKey ?? MAIN_SESSION),
      sessionPatch: ({ payload }) =>
        Effect.map(sessions.patch(payload), (changed) => ({ ok: true as const, ...changed }))
    })
  })
)
