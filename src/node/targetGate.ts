import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { STATUS_CODES } from "./http.ts"
import { hasResponse, lastAnswer } from "./malformedRequest.ts"
import type { HeaderRecord } from "./missingHeaders.ts"

/** Reads a request's target; `undefined` for one that must not go any further. */
export type ReadTarget = (
  target: string,
  hostHeader: string | undefined
) => { readonly path: string; readonly host: string | undefined } | undefined

/** The probes: an orchestrator asks for them by the port alone, so they also answer outside a base path. */
const PROBE = /^\/(?:health|healthz|readyz)(?:\?|$)/

/**
 * Where a path leads on a console that is served below a base path: to a path of its own, by a redirect to its index, or
 * nowhere. Only one spelling of the base counts, so that no two parsers differ about it.
 */
export const pathBelow = (
  basePath: string,
  path: string
): { readonly path: string } | { readonly location: string } | undefined => {
  if (basePath === "" || PROBE.test(path)) return { path }
  if (!path.startsWith(basePath)) return undefined
  const rest = path.slice(basePath.length)
  if (rest.startsWith("/")) return { path: rest }
  return rest === "" || rest.startsWith("?") ? { location: `${basePath}/${rest}` } : undefined
}

/** Lets through what has a path, and answers the rest. */
export interface TargetGate {
  readonly request: (request: IncomingMessage, response: ServerResponse, pass: () => void) => void
  /** The same for a request that wants to upgrade its connection. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, pass: () => void) => void
  /** Answers what Node would drop or let through by itself: tunnels, and unsupported expectations. */
  readonly watch: (server: Server) => void
}

const DETAILS = "the request's target must be a path, or the whole address of this console\n"

/** The answer to a request that goes no further. */
interface Refusal {
  readonly status: number
  readonly headers: HeaderRecord
  readonly body: string
}

const plain = (status: number): Refusal => ({
  status,
  headers: { connection: "close", "content-type": "text/plain; charset=utf-8" },
  body: status === 400 ? DETAILS : (STATUS_CODES[status] ?? "")
})

const ELSEWHERE: Refusal = {
  status: 404,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ error: "not_found" })
}

const redirect = (location: string): Refusal => ({ status: 308, headers: { location }, body: "" })

/** The one target that isn't a path and has a meaning: what the server as a whole can do. */
const isServerOptions = ({ method, url }: IncomingMessage): boolean => method === "OPTIONS" && url === "*"

/**
 * Checks requests first, for every event, so that later code always finds a path as the target, without the base path.
 * Other targets are answered here, even while the app is starting.
 */
export const makeTargetGate = (options: {
  readonly readTarget: ReadTarget
  readonly basePath: string
  readonly protections: HeaderRecord
}): TargetGate => {
  const { basePath, protections, readTarget } = options

  const refusalOf = (request: IncomingMessage): Refusal | undefined => {
    if (isServerOptions(request)) return undefined
    const target = readTarget(request.url ?? "", request.headers.host)
    if (target === undefined) return plain(400)
    const place = pathBelow(basePath, target.path)
    if (place === undefined) return ELSEWHERE
    if ("location" in place) return redirect(place.location)
    request.url = place.path
    if (target.host !== undefined) request.headers.host = target.host
    return undefined
  }
  // By the response, so that it comes after those of requests before it on the same connection.
  const refuse = (response: ServerResponse, { status, headers, body }: Refusal) => {
    response.writeHead(status, { ...protections, ...headers, "content-length": body.length })
    response.end(body)
  }
  const cut = (socket: Duplex, { status, headers, body }: Refusal) => {
    socket.on("error", () => socket.destroy())
    if (hasResponse(socket)) socket.destroy()
    else socket.end(lastAnswer(status, body, { ...protections, ...headers }))
  }

  return {
    request: (request, response, pass) => {
      const refusal = refusalOf(request)
      if (refusal === undefined) pass()
      else refuse(response, refusal)
    },
    upgrade: (request, socket, pass) => {
      const refusal = refusalOf(request)
      if (refusal === undefined) pass()
      else cut(socket, refusal)
    },
    watch: (server) => {
      server.on("connect", (_request: IncomingMessage, socket: Duplex) => cut(socket, plain(400)))
      server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
        refuse(response, refusalOf(request) ?? plain(417))
      )
    }
  }
}
