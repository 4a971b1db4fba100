import { Context, type Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { RouteMark } from "../RouteMark.ts"

/** A route that matched a request. */
export interface Matched {
  readonly mark: RouteMark
  /** The route's pattern, such as `/api/crons/:id`. */
  readonly pattern: string
  /** The pattern with its parameters: what the request is counted under. */
  readonly place: string
}

/** The request on its way, for the route that matches it. */
export class Visit extends Context.Service<
  Visit,
  {
    /** The route's answer, or the refusal of a request that doesn't meet the route's mark. */
    readonly enter: <E, R>(
      matched: Matched,
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  }
>()("agent-console/http/middleware/Visit") {}
