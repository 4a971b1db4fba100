import type { Effect, Scope, Types } from "effect"
import type { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { RequestContext } from "./RequestContext.ts"

/** The response to one request, or a failure that `errors` explains. */
export type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError | Types.unhandled,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/**
 * Looks at a request before its route does; an answer ends it there. What depends on the route is in the request's
 * mark, never in its path.
 */
export type Check = (context: RequestContext) => HttpServerResponse.HttpServerResponse | undefined

/** Hears of every answer, failures included. */
export type Report = (context: RequestContext, status: number) => void
