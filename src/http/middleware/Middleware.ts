import type { Effect, Scope, Types } from "effect"
import type { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Exchange } from "./Exchange.ts"

/** The answer to one request, or a failure that `errors` puts in words. */
export type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError | Types.unhandled,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Everything behind a middleware: the next ones and at last the router. */
export type Next = (exchange: Exchange) => Answer

/** One step in front of every route; the order of the steps is the list in App.ts. */
export type Middleware = (next: Next) => Next
