import { IncomingMessage } from "node:http"
import { type Clock, Context, type Effect, Option, Result, type Scope, type Types } from "effect"
import { type HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Right } from "../../contract/schema/live.ts"
import { type HeaderRecord, missingHeaders } from "../../node/missingHeaders.ts"
import type { Session } from "../../services/access/auth/Auth.ts"
import { CLOSED, type RouteMark } from "../RouteMark.ts"

/** A route that matched a request. */
interface Matched {
  readonly mark: RouteMark
  /** The right that a client needs. */
  readonly right: Right | undefined
  /** The route's pattern, such as `/api/crons/:id`. */
  readonly pattern: string
  /** The pattern with its parameters: what the request is counted under. */
  readonly place: string
}

/** The request on its way, for the route that matches it. */
export class Visit extends Context.Service<
  Visit,
  {
    /** The route's answer, or the refusal of a request that doesn't meet the route's mark. */
    readonly enter: <E, R>(
      matched: Matched,
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  }
>()("agent-console/http/middleware/Visit") {}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** What the middleware knows about one request, computed once. */
export interface RequestContext {
  readonly request: Request
  readonly method: string
  /** The request's headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The path, percent-decoded and without the query: for logs, figures and answers, never for a decision on access. */
  readonly path: string
  /** Whether that path is `/api` or below it. */
  readonly isApi: boolean
  readonly clock: Clock.Clock
  /** When it came, in epoch milliseconds. */
  readonly now: number
  /** The same by `performance.now()`. */
  readonly startedAt: number
  /** The route that matched, with its requirements; before that, those of unmatched requests. */
  route: Matched
  /** The live session of the request's cookie, once it has been looked for; a route that needs none has none. */
  session: Session | undefined
  /** The key of rate limits: a session or an address; `unknown` until it has been determined. */
  client: string
  /** Headers of every answer, also of refusals and failures; headers set by the route win. */
  common: HeaderRecord
  /** Headers of this answer besides. */
  readonly extra: Array<HeaderRecord>
}

/** The route of unmatched requests: closed, with one limit for all their paths. */
export const UNMATCHED: Matched = { mark: CLOSED, right: undefined, pattern: "", place: "no route" }

const canonicalPath = (target: string): string => {
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

/** Whether a decoded path is `/api` or below it. */
export const isApiPath = (path: string): boolean => path.startsWith("/api") && (path.length === 4 || path[4] === "/")

/** A refused upgrade ends its connection: a proxy could otherwise send another client's request on it. */
const LAST_ANSWER: HeaderRecord = { connection: "close" }

/** The socket's remote address. */
export const peerOf = ({ request }: RequestContext): string | undefined => Option.getOrUndefined(request.peerAddress)

/** Whether it came over this console's own TLS listener. */
export const isEncrypted = ({ source }: Request): boolean =>
  source instanceof IncomingMessage && "encrypted" in source.socket && source.socket.encrypted === true

/** Creates a request's context. */
export const makeRequestContext = (request: Request, clock: Clock.Clock, common: HeaderRecord): RequestContext => {
  const path = canonicalPath(request.url)
  const { headers } = request
  return {
    request,
    method: request.method,
    headers,
    path,
    isApi: isApiPath(path),
    clock,
    now: clock.currentTimeMillisUnsafe(),
    startedAt: performance.now(),
    route: UNMATCHED,
    session: undefined,
    client: "unknown",
    common,
    extra: headers.upgrade === undefined ? [] : [LAST_ANSWER]
  }
}

/** The answer with the request's headers. */
export const withHeaders = ({ common, extra }: RequestContext, response: Response): Response =>
  HttpServerResponse.setHeaders(response, missingHeaders(response.headers, [common, ...extra]))

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

/** Called with the status of every answer, failures included. */
export type Report = (context: RequestContext, status: number) => void
