import { Effect } from "effect"
import { AgentLog } from "../../../services/knowledge/agentlog/AgentLog.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const AgentLogHandlers = routeHandlers(
  "agentlog",
  Effect.fn(function* (handlers) {
    const log = yield* AgentLog
    return handlers.handleAll({
      list: () => log.list,
      append: ({ payload }) => Effect.map(log.append(payload), (entry) => ({ ok: true as const, entry }))
    })
  })
)
