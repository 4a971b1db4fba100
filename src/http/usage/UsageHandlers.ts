import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { TokenUsage } from "../../services/usage/TokenUsage.ts"
import { Api } from "../Api.ts"

export const UsageHandlers = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fn(function* (handlers) {
    const usage = yield* TokenUsage
    return handlers.handleAll({ summary: () => usage.summary })
  })
)
