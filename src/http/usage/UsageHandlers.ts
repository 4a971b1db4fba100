import { DateTime, Effect } from "effect"
import { AgentLimits } from "../../services/usage/limits/AgentLimits.ts"
import { TokenUsage } from "../../services/usage/TokenUsage.ts"
import { routeHandlers } from "../Api.ts"

const DEFAULT_DAYS = 30
const DEFAULT_GROUP = ["day"] as const

const daysBefore = (day: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day), { days }))

export const UsageHandlers = routeHandlers(
  "usage",
  Effect.fn(function* (handlers) {
    const usage = yield* TokenUsage
    return handlers.handleAll({
      summary: ({ query }) => usage.summary(query.gateway),
      history: Effect.fn("usage.history")(function* ({ query }) {
        const to = query.to ?? DateTime.formatIsoDateUtc(yield* DateTime.now)
        const from = query.from ?? daysBefore(to, DEFAULT_DAYS - 1)
        const group = query.group ?? DEFAULT_GROUP
        return { from, to, group, rows: yield* usage.history({ from, to, group }, query.gateway) }
      })
    })
  })
)

export const LimitsHandlers = routeHandlers(
  "limits",
  Effect.fn(function* (handlers) {
    const limits = yield* AgentLimits
    return handlers.handleAll({ agentA: () => limits.agentA, agentB: () => limits.agentB })
  })
)
