import { Effect, Option, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HeaderRecord, missingHeaders } from "../headers.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What the middleware know about one request, worked out once. */
export interface Exchange {
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

/** Whether a canonical path is the API's: `/api` or below it. */
export const isApiPath = (path: string): boolean => path.startsWith("/api") && (path.length === 4 || path[4] === "/")

/** Opens the exchange of a request. */
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

/** An answer with the given headers too. */
export const withHeaders = (headers: ReadonlyArray<HeaderRecord>, response: Response): Response =>
  HttpServerResponse.setHeaders(response, missingHeaders(response.headers, headers))

// A file is the same answer object every time, so its headers are put together once for each set of records.
const files = new WeakMap<Response, { readonly record: HeaderRecord | undefined; readonly completed: Response }>()

const completeFile = (record: HeaderRecord | undefined, response: Response): Response => {
  const known = files.get(response)
  if (known !== undefined && known.record === record) return known.completed
  const completed = withHeaders(record === undefined ? [] : [record], response)
  files.set(response, { record, completed })
  return completed
}

/** Puts the headers gathered in an exchange on whatever answer came out, and tells who waits for its status. */
export const closeExchange = (exchange: Exchange, response: Response): Effect.Effect<Response> => {
  const { headers } = exchange
  const completed =
    !exchange.isApi && headers.length <= 1 ? completeFile(headers[0], response) : withHeaders(headers, response)
  return exchange.answered === undefined
    ? Effect.succeed(completed)
    : Effect.as(exchange.answered(response.status), completed)
}
