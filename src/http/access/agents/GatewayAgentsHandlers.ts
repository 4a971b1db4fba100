import { Effect } from "effect"
import { GatewayAgents } from "../../../services/access/agents/GatewayAgents.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const GatewayAgentsHandlers = routeHandlers(
  "gatewayAgents",
  Effect.fn(function* (handlers) {
    const agents = yield* GatewayAgents
    return handlers.handleAll({
      look: () => agents.look,
      add: ({ payload }) => agents.add(payload),
      remove: () => agents.remove
    })
  })
)
