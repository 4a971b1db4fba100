import { Effect } from "effect"
import { AgentTokens } from "../../../services/access/agents/AgentTokens.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const AgentTokensHandlers = routeHandlers(
  "agentTokens",
  Effect.fn(function* (handlers) {
    const tokens = yield* AgentTokens
    return handlers.handleAll({
      list: () => Effect.map(tokens.list, (list) => ({ tokens: list })),
      create: ({ payload }) => tokens.create(payload),
      remove: ({ params }) => Effect.as(tokens.remove(params.id), { ok: true as const })
    })
  })
)
