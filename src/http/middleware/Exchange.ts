import { Context, Effect, Option, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Middleware } from "./Middleware.ts"

/** Response headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** What the middleware know about one request, worked out once. */
export interface ExchangeShape {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The path as the router matches it: percent-escapes decoded, without query. */
  readonly path: string
  /** Whether the path is `/api` or below it. */
  readonly isApi: boolean
  /** Address of the socket's other end. */
  readonly peer: string | undefined
  /** Address the request counts for; `unknown` until the client address is worked out. */
  client: string
  /** Headers of the answer, whoever makes it; a header the route sets itself wins. */
  readonly headers: Array<HeaderRecord>
  /** Told the status of the answer once it is certain, failures included. */
  answered: ((status: number) => Effect.Effect<void>) | undefined
}

/** The exchange of the current request. */
export class Exchange extends Context.Service<Exchange, ExchangeShape>()("agent-console/http/middleware/Exchange") {}

/** The path of a request target as the router reads it, so that no spelling of a path slips past a check on it. */
export const canonicalPath = (target: string): string => {
  const end = target.search(/[?#;]/)
  const path = end === -1 ? target : target.slice(0, end)
  return path.includes("%") ? decodePath(path) : path
}

// A path with a damaged escape matches no route, so its raw form is as good as any.
const decodePath = (path: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURI(path)),
    () => path
  )

const isApiPath = (path: string): boolean => path.startsWith("/api") && (path.length === 4 || path[4] === "/")

const complete = (exchange: ExchangeShape, response: HttpServerResponse.HttpServerResponse) => {
  const missing: Record<string, string> = {}
  for (const record of exchange.headers) {
    for (const name in record) {
      const value = record[name]
      if (value === undefined) continue
      const present = response.headers[name]
      if (present === undefined) missing[name] = value
      else if (name === "vary" && !present.toLowerCase().includes(value.toLowerCase())) {
        missing[name] = `${present}, ${value}`
      }
    }
  }
  return HttpServerResponse.setHeaders(response, missing)
}

/** Opens the exchange, and puts the headers gathered in it on whatever answer comes out. */
export const exchange: Effect.Effect<Middleware> = Effect.succeed((next) =>
  Effect.withFiber((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const path = canonicalPath(request.url)
    const current: ExchangeShape = {
      request,
      path,
      isApi: isApiPath(path),
      peer: Option.getOrUndefined(request.peerAddress),
      client: "unknown",
      headers: [],
      answered: undefined
    }
    return Effect.flatMap(Effect.provideService(next, Exchange, current), (response) => {
      const completed = Effect.succeed(complete(current, response))
      return current.answered === undefined ? completed : Effect.andThen(current.answered(response.status), completed)
    })
  })
)

/** Runs a step with the exchange of the current request; for middleware, behind `exchange` in the list. */
export const withExchange = <A, E, R>(
  step: (exchange: ExchangeShape) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const current = Context.getOrUndefined(fiber.context, Exchange)
    return current === undefined ? Effect.die("no exchange is open") : step(current)
  })
