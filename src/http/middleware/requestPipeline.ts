import { ByteSize, Cause, Clock, Context, Effect } from "effect"
import { HttpMiddleware, HttpPlatform, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Settings } from "../../services/platform/settings/Settings.ts"
import { requestCount, requestDuration } from "../platform/metrics/metrics.ts"
import { authentication, identifyClient } from "./authentication.ts"
import { bodyTooLarge, errors } from "./errors.ts"
import { formBodies, readAsMarked } from "./jsonBodies.ts"
import { cors, foreignPages, originCheck, preflight } from "./originCheck.ts"
import { ownedBySession } from "./ownedBySession.ts"
import { API_CACHING, protectionHeaders } from "./protectionHeaders.ts"
import {
  type Answer,
  type Check,
  makeRequestContext,
  type Report,
  type RequestContext,
  UNMATCHED,
  Visit,
  withHeaders
} from "./RequestContext.ts"
import { rateLimit } from "./rateLimit.ts"
import { rightCheck } from "./rightCheck.ts"

/** Caching of API responses; static files have their own rule. */
const cacheHeaders = Effect.gen(function* () {
  const common = { ...protectionHeaders(yield* Settings), ...API_CACHING }
  const check: Check = (context) => {
    if (context.isApi) context.common = common
    return undefined
  }
  return check
})

const BODILESS = new Set(["GET", "HEAD", "OPTIONS"])

/** Rejects a body over the route's limit at once if Content-Length says so. */
const bodyLimit: Effect.Effect<Check> = Effect.succeed(({ method, route, headers }) => {
  const declared = headers["content-length"]
  if (declared === undefined || BODILESS.has(method)) return undefined
  return Number(declared) > ByteSize.toNumberUnsafe(route.mark.bodyLimit) ? bodyTooLarge() : undefined
})

/** Ends the reading of a longer body, so that no more than the limit is ever held in memory. */
const readWithinLimit = <E, R>(
  { method, route }: RequestContext,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  BODILESS.has(method) ? answer : Effect.provideService(answer, HttpServerRequest.MaxBodySize, route.mark.bodyLimit)

/** Compressing shorter bodies makes them larger. */
const MIN_BYTES = 1024

const compressed = HttpMiddleware.compression({ minSize: MIN_BYTES })

const isWorthwhile = ({ headers, body }: HttpServerResponse.HttpServerResponse): boolean => {
  if (headers["content-encoding"] !== undefined) return false
  return body._tag === "Stream" || (body._tag === "Uint8Array" && body.contentLength >= MIN_BYTES)
}

/**
 * Compresses responses of 1 KB and more if the client accepts it. Never the event stream, which has no body at this
 * point, and never assets, which are already compressed.
 */
const compression = Effect.map(
  HttpPlatform.HttpPlatform,
  (platform) =>
    (response: HttpServerResponse.HttpServerResponse): Answer =>
      isWorthwhile(response)
        ? Effect.provideService(compressed(Effect.succeed(response)), HttpPlatform.HttpPlatform, platform)
        : Effect.succeed(response)
)

/** Polled by monitors; logging each request would drown out everything else. */
const UNLOGGED_PATHS = new Set(["/health", "/api/version"])
const MAX_PATH = 200

const printable = (path: string): string => {
  const visible = path.replace(/[^\x21-\x7e]/g, "?")
  return visible.length > MAX_PATH ? `${visible.slice(0, MAX_PATH)}…` : visible
}

/** One line per API request: method, path without query, status, milliseconds; never headers or bodies. */
const requestLog = (context: RequestContext, status: number): Effect.Effect<void> | undefined => {
  const { method, path, isApi, clock, now } = context
  if (!isApi || UNLOGGED_PATHS.has(path)) return undefined
  return Effect.logInfo(`${method} ${printable(path)} ${status} ${clock.currentTimeMillisUnsafe() - now} ms`)
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * Counts and times requests to the API and `/health`, except files and the version, which the early listener answers.
 */
const requestMetrics: Effect.Effect<Report> = Effect.map(Effect.context<never>(), (services) => {
  const counters = new Map<string, Array<ReturnType<typeof requestCount> | undefined>>()
  const counterOf = (method: string, status: number) => {
    const known = METHODS.has(method) ? method : "other"
    const ofMethod = counters.get(known) ?? []
    counters.set(known, ofMethod)
    const hundreds = Math.trunc(status / 100)
    const counter = ofMethod[hundreds] ?? requestCount(known, `${hundreds}xx`)
    ofMethod[hundreds] = counter
    return counter
  }
  return ({ method, path, isApi, startedAt }, status) => {
    if (!isApi && path !== "/health") return
    counterOf(method, status).updateUnsafe(1, services)
    requestDuration.updateUnsafe((performance.now() - startedAt) / 1000, services)
  }
})

/**
 * What every request passes through before a route is looked for, in this order. Security headers are there from the
 * start, so the preflights have them too.
 */
const beforeRouting = Effect.all([cacheHeaders, cors, originCheck, preflight])

/**
 * What a request passes through once its route is known, in this order; those that match none, as well. Another site's
 * page is turned away before it's counted.
 */
const atRoute = Effect.all([foreignPages, identifyClient, rateLimit, authentication, rightCheck, bodyLimit, formBodies])

const firstRefusal = (checks: ReadonlyArray<Check>, context: RequestContext) => {
  for (const check of checks) {
    const refusal = check(context)
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
export const requestPipeline = Effect.gen(function* () {
  const protections = protectionHeaders(yield* Settings)
  const first = yield* beforeRouting
  const then = yield* atRoute
  const recover = yield* errors
  const compress = yield* compression
  const measure = yield* requestMetrics
  const owned = yield* ownedBySession

  const visitOf = (context: RequestContext): Visit["Service"] => ({
    enter: (matched, answer) => {
      context.route = matched
      const refusal = firstRefusal(then, context)
      if (refusal === undefined) owned.request(context)
      return refusal === undefined ? readWithinLimit(context, readAsMarked(context, answer)) : Effect.succeed(refusal)
    }
  })

  const toRoute = (context: RequestContext, route: Answer): Answer => {
    const refusal = firstRefusal(first, context)
    if (refusal !== undefined) return Effect.succeed(refusal)
    const answer = Effect.provideService(route, Visit, visitOf(context))
    return Effect.flatMap(answer, (response) => compress(owned.answer(context, response)))
  }

  /** No route answers, or the app's files say that they aren't meant: as closed as a route without a mark. */
  const refuseUnmatched = (context: RequestContext) => {
    context.route = UNMATCHED
    return firstRefusal(then, context)
  }

  const toClient = (context: RequestContext, response: HttpServerResponse.HttpServerResponse): Answer => {
    measure(context, response.status)
    const complete = withHeaders(context, response)
    const logged = requestLog(context, response.status)
    return logged === undefined ? Effect.succeed(complete) : Effect.as(logged, complete)
  }

  return (route: Answer): Answer =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const context = makeRequestContext(request, fiber.getRef(Clock.Clock), protections)
      return Effect.matchCauseEffect(
        Effect.suspend(() => toRoute(context, route)),
        {
          onSuccess: (response) => toClient(context, response),
          onFailure: (cause) => {
            if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
            const refusal = isUnmatched(cause) ? refuseUnmatched(context) : undefined
            return refusal === undefined
              ? Effect.flatMap(recover(cause, context), (response) => toClient(context, response))
              : toClient(context, refusal)
          }
        }
      )
    })
})
