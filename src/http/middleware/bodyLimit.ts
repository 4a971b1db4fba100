import { ByteSize, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Exchange } from "./Exchange.ts"
import { bodyTooLarge } from "./errors.ts"
import type { Check } from "./Middleware.ts"

const BODILESS = new Set(["GET", "HEAD", "OPTIONS"])

/** Rejects a body over the route's limit at once if Content-Length says so. */
export const bodyLimit: Effect.Effect<Check> = Effect.succeed(({ method, route, headers }) => {
  const declared = headers["content-length"]
  if (declared === undefined || BODILESS.has(method)) return undefined
  return Number(declared) > ByteSize.toNumberUnsafe(route.mark.bodyLimit) ? bodyTooLarge() : undefined
})

/** Ends the reading of a longer body, so that no more than the limit is ever held in memory. */
export const readWithinLimit = <E, R>(
  { method, route }: Exchange,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  BODILESS.has(method) ? answer : Effect.provideService(answer, HttpServerRequest.MaxBodySize, route.mark.bodyLimit)
