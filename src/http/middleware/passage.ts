import { Cause, Clock, Context, Effect } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { authentication } from "./authentication.ts"
import { bodyLimit, readWithinLimit } from "./bodyLimit.ts"
import { cacheHeaders } from "./cacheHeaders.ts"
import { compression } from "./compression.ts"
import { cors, preflight } from "./cors.ts"
import { type Exchange, openExchange, UNMATCHED, withHeaders } from "./Exchange.ts"
import { errors } from "./errors.ts"
import { formBodies, readAsMarked } from "./jsonBodies.ts"
import type { Answer, Check } from "./Middleware.ts"
import { foreignPages, originCheck } from "./originCheck.ts"
import { ownedBySession } from "./ownedBySession.ts"
import { protectionHeaders } from "./protectionHeaders.ts"
import { rateLimit } from "./rateLimit.ts"
import { requestLog } from "./requestLog.ts"
import { requestMetrics } from "./requestMetrics.ts"
import { Visit } from "./Visit.ts"
import { whoAsks } from "./whoAsks.ts"

/**
 * What every request passes through before a route is looked for, in this order. Security headers are there from the
 * start, so the preflights have them too.
 */
const beforeRouting = Effect.all([cacheHeaders, cors, originCheck, preflight])

/**
 * What a request passes through once its route is known, in this order; those that match none, as well. Another site's
 * page is turned away before it's counted.
 */
const atRoute = Effect.all([foreignPages, whoAsks, rateLimit, authentication, bodyLimit, formBodies])

const firstRefusal = (checks: ReadonlyArray<Check>, exchange: Exchange) => {
  for (const check of checks) {
    const refusal = check(exchange)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

const isUnmatched = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

/**
 * The way of a request to its route and of the answer back. All that doesn't wait is plain functions over one record,
 * run in one go: as thirteen effects around each other they took longer than the routes.
 */
export const passage = Effect.gen(function* () {
  const protections = protectionHeaders(yield* Settings)
  const first = yield* beforeRouting
  const then = yield* atRoute
  const recover = yield* errors
  const compress = yield* compression
  const measure = yield* requestMetrics
  const owned = yield* ownedBySession

  const visitOf = (exchange: Exchange): Visit["Service"] => ({
    enter: (matched, answer) => {
      exchange.route = matched
      const refusal = firstRefusal(then, exchange)
      if (refusal === undefined) owned.request(exchange)
      return refusal === undefined ? readWithinLimit(exchange, readAsMarked(exchange, answer)) : Effect.succeed(refusal)
    }
  })

  const toRoute = (exchange: Exchange, route: Answer): Answer => {
    const refusal = firstRefusal(first, exchange)
    if (refusal !== undefined) return Effect.succeed(refusal)
    const answer = Effect.provideService(route, Visit, visitOf(exchange))
    return Effect.flatMap(answer, (response) => compress(owned.answer(exchange, response)))
  }

  /** No route answers, or the app's files say that they aren't meant: as closed as a route without a mark. */
  const refuseUnmatched = (exchange: Exchange) => {
    exchange.route = UNMATCHED
    return firstRefusal(then, exchange)
  }

  const toClient = (exchange: Exchange, response: HttpServerResponse.HttpServerResponse): Answer => {
    measure(exchange, response.status)
    const complete = withHeaders(exchange, response)
    const logged = requestLog(exchange, response.status)
    return logged === undefined ? Effect.succeed(complete) : Effect.as(logged, complete)
  }

  return (route: Answer): Answer =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const exchange = openExchange(request, fiber.getRef(Clock.Clock), protections)
      return Effect.matchCauseEffect(
        Effect.suspend(() => toRoute(exchange, route)),
        {
          onSuccess: (response) => toClient(exchange, response),
          onFailure: (cause) => {
            if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
            const refusal = isUnmatched(cause) ? refuseUnmatched(exchange) : undefined
            return refusal === undefined
              ? Effect.flatMap(recover(cause, exchange), (response) => toClient(exchange, response))
              : toClient(exchange, refusal)
          }
        }
      )
    })
})
