import { Effect } from "effect"
import { AgentWorkspaces } from "../../../services/knowledge/agents/AgentWorkspaces.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const AgentsHandlers = routeHandlers(
  "agents",
  Effect.fn(function* (handlers) {
    const { list } = yield* AgentWorkspaces
    return handlers.handleAll({ list: () => Effect.map(list, (agents) => ({ ok: true as const, agents })) })
  })
)
