import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AgentLog } from "../../services/agentlog/AgentLog.ts"
import { Api } from "../Api.ts"

export const AgentLogHandlers = HttpApiBuilder.group(
  Api,
  "agentlog",
  Effect.fn(function* (handlers) {
    const log = yield* AgentLog
    return handlers.handleAll({
      list: () => log.list,
      append: ({ payload }) => Effect.map(log.append(payload), (entry) => ({ ok: true as const, entry }))
    })
  })
)
