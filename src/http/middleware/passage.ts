import { Cause, Clock, Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { standingHeaders } from "../../node/answerHead.ts"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { authentication } from "./authentication.ts"
import { bodyLimit, readWithinLimit } from "./bodyLimit.ts"
import { cacheHeaders } from "./cacheHeaders.ts"
import { clientAddress } from "./clientAddress.ts"
import { compression } from "./compression.ts"
import { cors } from "./cors.ts"
import { type Exchange, openExchange, withHeaders } from "./Exchange.ts"
import { errors } from "./errors.ts"
import { formBodies, readAsJson } from "./jsonBodies.ts"
import type { Answer } from "./Middleware.ts"
import { originCheck } from "./originCheck.ts"
import { protectionHeaders } from "./protectionHeaders.ts"
import { rateLimit } from "./rateLimit.ts"
import { requestLog } from "./requestLog.ts"
import { requestMetrics } from "./requestMetrics.ts"

/**
 * What every request passes through, in this order, before it reaches a route. Security headers are there from the
 * start, so the preflights that `cors` answers have them too.
 */
const checks = Effect.all([
  cors,
  clientAddress,
  originCheck,
  rateLimit,
  authentication,
  bodyLimit,
  formBodies,
  cacheHeaders
])

/**
 * The way of a request to its route and of the answer back. All that doesn't wait is plain functions over one record,
 * run in one go: as thirteen effects around each other they took longer than the routes.
 */
export const passage = Effect.gen(function* () {
  const protections = standingHeaders(protectionHeaders(yield* Settings))
  const steps = yield* checks
  const recover = yield* errors
  const compress = yield* compression
  const measure = yield* requestMetrics

  const toRoute = (exchange: Exchange, route: Answer): Answer => {
    for (const check of steps) {
      const refusal = check(exchange)
      if (refusal !== undefined) return Effect.succeed(refusal)
    }
    const answer = readWithinLimit(exchange, readAsJson(exchange, route))
    return Effect.flatMap(answer, compress)
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
          onFailure: (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.failCause(cause)
              : Effect.flatMap(recover(cause, exchange), (response) => toClient(exchange, response))
        }
      )
    })
})
