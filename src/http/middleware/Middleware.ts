import type { Effect, Scope, Types } from "effect"
import type { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Exchange } from "./Exchange.ts"

/** The response to one request, or a failure that `errors` explains. */
export type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError | Types.unhandled,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Everything after a middleware: the next ones, and finally the router. */
export type Next = (exchange: Exchange) => Answer

/** One step in front of every route; the order of the steps is the list in App.ts. */
export type Middleware = (next: Next) => Next
