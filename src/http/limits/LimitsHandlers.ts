import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AgentLimits } from "../../services/limits/AgentLimits.ts"
import { Api } from "../Api.ts"

export const LimitsHandlers = HttpApiBuilder.group(
  Api,
  "limits",
  Effect.fn(function* (handlers) {
    const limits = yield* AgentLimits
    return handlers.handleAll({ agentA: () => limits.agentA, agentB: () => limits.agentB })
  })
)
