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

/** Lets through what has a path, and answers the rest. */
export interface TargetGate {
  readonly request: (request: IncomingMessage, response: ServerResponse, pass: () => void) => void
  /** The same for a request that wants to upgrade its connection. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, pass: () => void) => void
  /** Answers what Node would drop or let through by itself: tunnels, and unsupported expectations. */
  readonly watch: (server: Server) => void
}

const LAST = { connection: "close", "content-type": "text/plain; charset=utf-8" }
const DETAILS = "the request's target must be a path, or the whole address of this console\n"

/** The one target that isn't a path and has a meaning: what the server as a whole can do. */
const isServerOptions = ({ method, url }: IncomingMessage): boolean => method === "OPTIONS" && url === "*"

/**
 * Checks requests first, for every event, so that later code always finds a path as the target. Other targets get
 * 400 here, even while the app is starting.
 */
export const makeTargetGate = (readTarget: ReadTarget, protections: HeaderRecord): TargetGate => {
  const hasPath = (request: IncomingMessage): boolean => {
    if (isServerOptions(request)) return true
    const target = readTarget(request.url ?? "", request.headers.host)
    if (target === undefined) return false
    request.url = target.path
    if (target.host !== undefined) request.headers.host = target.host
    return true
  }
  // By the response, so that it comes after those of requests before it on the same connection.
  const refuse = (response: ServerResponse, status = 400) => {
    const text = status === 400 ? DETAILS : (STATUS_CODES[status] ?? "")
    response.writeHead(status, { ...protections, ...LAST, "content-length": text.length })
    response.end(text)
  }
  const cut = (socket: Duplex) => {
    socket.on("error", () => socket.destroy())
    if (hasResponse(socket)) socket.destroy()
    else socket.end(lastAnswer(400, DETAILS, protections))
  }

  return {
    request: (request, response, pass) => (hasPath(request) ? pass() : refuse(response)),
    upgrade: (request, socket, pass) => (hasPath(request) ? pass() : cut(socket)),
    watch: (server) => {
      server.on("connect", (_request: IncomingMessage, socket: Duplex) => cut(socket))
      server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
        refuse(response, hasPath(request) ? 417 : 400)
      )
    }
  }
}
