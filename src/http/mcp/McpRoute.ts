import { ByteSize, Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { AgentTokens } from "../../services/access/agents/AgentTokens.ts"
import type { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import type { Board } from "../../services/board/Board.ts"
import type { Inbox } from "../../services/inbox/Inbox.ts"
import type { EventBus } from "../../services/platform/events/EventBus.ts"
import type { Search } from "../../services/search/Search.ts"
import { marked, OWN_ACCESS } from "../RouteMark.ts"
import { letIn } from "./Caller.ts"
import { keepSessions } from "./mcpSessions.ts"

const MAX_BODY = ByteSize.mebibytes(1)
const METHODS = ["GET", "POST", "DELETE"] as const

/** The tools for agents; loaded with the first request, so that a start doesn't wait for them. */
export const McpRoute = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const scope = yield* Effect.scope
    const services = yield* Effect.context<AgentTokens | RateLimiter | Board | Inbox | EventBus | Search>()
    const app = yield* Effect.cached(
      Effect.promise(() => import("./mcpApp.ts")).pipe(
        Effect.flatMap(({ McpApp }) => HttpRouter.toHttpEffect(McpApp)),
        Effect.flatMap(keepSessions),
        // With the memo of this layer, it would get the router of this layer, not one of its own.
        Effect.provideService(Layer.CurrentMemoMap, Layer.makeMemoMapUnsafe()),
        Effect.provide(services),
        Scope.provide(scope)
      )
    )
    const open = yield* letIn
    const handle = Effect.map(open(Effect.flatten(app)), HttpServerResponse.setHeader("cache-control", "no-store"))
    for (const method of METHODS)
      yield* router.add(method, "/mcp", handle).pipe(marked({ ...OWN_ACCESS, bodyLimit: MAX_BODY }))
  })
)
