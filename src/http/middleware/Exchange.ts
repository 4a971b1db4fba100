import { Effect, Option, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HeaderRecord } from "../../node/ReadyAnswer.ts"
import { missingHeaders } from "../headers.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What the middleware knows about one request, computed once. */
export interface Exchange {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The path as the router matches it: percent-decoded, without the query. */
  readonly path: string
  /** Whether the path is `/api` or below it. */
  readonly isApi: boolean
  /** The socket's remote address. */
  readonly peer: string | undefined
  /** The address rate limits count for; `unknown` until it has been determined. */
  client: string
  /** Headers for the response, whoever creates it; headers set by the route win. */
  readonly headers: Array<HeaderRecord>
  /** Called with the response's final status, including failures. */
  answered: ((status: number) => Effect.Effect<void>) | undefined
}

/** A request target's path as the router reads it, so that no spelling of a path gets past a check. */
export const canonicalPath = (target: string): string => {
  const end = target.search(/[?#;]/)
  const path = end === -1 ? target : target.slice(0, end)
  return path.includes("%") ? decodePath(path) : path
}

// A path with an invalid escape matches no route, so its raw form will do.
const decodePath = (path: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURI(path)),
    () => path
  )

/** Whether a canonical path is `/api` or below it. */
export const isApiPath = (path: string): boolean => path.startsWith("/api") && (path.length === 4 || path[4] === "/")

/** Creates a request's exchange. */
export const openExchange = (request: HttpServerRequest.HttpServerRequest): Exchange => {
  const path = canonicalPath(request.url)
  return {
    request,
    path,
    isApi: isApiPath(path),
    peer: Option.getOrUndefined(request.peerAddress),
    client: "unknown",
    headers: [],
    answered: undefined
  }
}

/** A response with the given headers added. */
export const withHeaders = (headers: ReadonlyArray<HeaderRecord>, response: Response): Response =>
  HttpServerResponse.setHeaders(response, missingHeaders(response.headers, headers))

// A file is always the same response object, so its headers are combined once per set of records.
const files = new WeakMap<Response, { readonly record: HeaderRecord | undefined; readonly completed: Response }>()

const completeFile = (record: HeaderRecord | undefined, response: Response): Response => {
  const known = files.get(response)
  if (known !== undefined && known.record === record) return known.completed
  const completed = withHeaders(record === undefined ? [] : [record], response)
  files.set(response, { record, completed })
  return completed
}

/** Adds the exchange's headers to the response, and reports its status to whoever is waiting for it. */
export const closeExchange = (exchange: Exchange, response: Response): Effect.Effect<Response> => {
  const { headers } = exchange
  const completed =
    !exchange.isApi && headers.length <= 1 ? completeFile(headers[0], response) : withHeaders(headers, response)
  return exchange.answered === undefined
    ? Effect.succeed(completed)
    : Effect.as(exchange.answered(response.status), completed)
}
