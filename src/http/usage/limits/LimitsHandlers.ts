import { Effect } from "effect"
import { AgentLimits } from "../../../services/usage/limits/AgentLimits.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const LimitsHandlers = routeHandlers(
  "limits",
  Effect.fn(function* (handlers) {
    const limits = yield* AgentLimits
    return handlers.handleAll({ agentA: () => limits.agentA, agentB: () => limits.agentB })
  })
)
