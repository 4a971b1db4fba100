import { Clock, Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { AgentTokens } from "../../services/access/agents/AgentTokens.ts"
import type { AgentToken } from "../../services/access/agents/agentToken.ts"
import { ratePresets } from "../../services/access/ratelimit/presets.ts"
import { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import { errorResponse } from "../apiResponse.ts"
import { tooManyRequests } from "../middleware/rateLimit.ts"

/** The agent that makes a request: its token. */
export class Caller extends Context.Service<Caller, AgentToken>()("agent-console/http/mcp/Caller") {}

const BEARER = /^Bearer +(\S+)$/i

const unauthorized = () =>
  errorResponse(
    401,
    "unauthorized",
    "a valid token is required: create one in the console's settings, under Agents, and send it as Authorization: Bearer",
    { "www-authenticate": 'Bearer realm="Agent Console"' }
  )

/** Lets in whoever has a token, so many times a minute. A person's session opens nothing here. */
export const callerOnly = HttpRouter.middleware<{ provides: Caller }>()(
  Effect.gen(function* () {
    const tokens = yield* AgentTokens
    const limiter = yield* RateLimiter
    return (handle) =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const secret = BEARER.exec(headers.authorization ?? "")?.[1]
        if (secret === undefined) return unauthorized()
        const caller = yield* tokens.find(secret)
        if (caller === undefined) return unauthorized()
        const preset = ratePresets.agentCalls
        const verdict = yield* limiter.take(`mcp ${caller.id}`, preset)
        return verdict.allowed
          ? yield* Effect.provideService(handle, Caller, caller)
          : tooManyRequests(preset, verdict, yield* Clock.currentTimeMillis)
      }).pipe(
        Effect.catchTag("StoreError", ({ message }) => Effect.succeed(errorResponse(500, "store_failure", message)))
      )
  })
)
