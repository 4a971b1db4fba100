import { Clock, Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { AgentToken } from "../../contract/schema/access.ts"
import { AgentTokens } from "../../services/access/agents/AgentTokens.ts"
import { ratePresets } from "../../services/access/ratelimit/attemptStore.ts"
import { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import { errorResponse } from "../apiResponse.ts"
import { tooManyRequests } from "../middleware/rateLimit.ts"

/** The agent that makes a request: its token. */
export class Caller extends Context.Service<Caller, AgentToken>()("agent-console/http/mcp/Caller") {}

/** The caller of this request; none before it is authorised. */
export const CurrentCaller = Context.Reference<AgentToken | undefined>("agent-console/http/mcp/CurrentCaller", {
  defaultValue: () => undefined
})

const BEARER = /^Bearer +(\S+)$/i

export const unauthorized = () =>
  errorResponse(
    401,
    "unauthorized",
    "a valid token is required: create one in the console's settings, under Agents, and send it as Authorization: Bearer",
    { "www-authenticate": 'Bearer realm="Agent Console"' }
  )

/** Accepts requests with an agent's token, within the rate limit. A person's session isn't accepted. */
export const letIn = Effect.gen(function* () {
  const tokens = yield* AgentTokens
  const limiter = yield* RateLimiter
  return <E, R>(handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const secret = BEARER.exec(headers.authorization ?? "")?.[1]
      if (secret === undefined) return unauthorized()
      const caller = yield* Effect.result(tokens.find(secret))
      if (caller._tag === "Failure") return errorResponse(500, "store_failure", caller.failure.message)
      if (caller.success === undefined) return unauthorized()
      const preset = ratePresets.agentCalls
      const verdict = yield* limiter.take(`mcp ${caller.success.id}`, preset)
      return verdict.allowed
        ? yield* Effect.provideService(handle, CurrentCaller, caller.success)
        : tooManyRequests(preset, verdict, yield* Clock.currentTimeMillis)
    })
})

/** Provides the caller to the tools. */
export const callerOnly = HttpRouter.middleware<{ provides: Caller }>()((handle) =>
  Effect.flatMap(CurrentCaller, (caller) =>
    caller === undefined ? Effect.succeed(unauthorized()) : Effect.provideService(handle, Caller, caller)
  )
)
