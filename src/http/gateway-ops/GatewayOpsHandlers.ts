import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Models } from "../../services/models/Models.ts"
import { SessionSettings } from "../../services/sessions/SessionSettings.ts"
import { MAIN_SESSION } from "../../services/sessions/sessionSchemas.ts"
import { Api } from "../Api.ts"

export const GatewayOpsHandlers = HttpApiBuilder.group(
  Api,
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
