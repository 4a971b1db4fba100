import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Settings } from "../../services/settings/Settings.ts"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import { withHeaders } from "../middleware/Exchange.ts"
import { protectionHeaders } from "../middleware/securityHeaders.ts"
import { StaticFiles } from "./StaticFiles.ts"

/** Answers a request at once and says so, or leaves it untouched. */
export type FirstAnswer = (request: IncomingMessage, response: ServerResponse) => boolean

interface ReadyAnswer {
  readonly status: number
  /** Names and values in turn, as Node takes them without another look. */
  readonly headers: Array<string>
  readonly body: Uint8Array | undefined
}

/**
 * Whether nothing about a request asks more of the middleware than the headers of every answer: no other method, no
 * page of another origin, no part of a file, no body.
 */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers.origin === undefined &&
  headers.range === undefined &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined

/**
 * Answers plain requests for hashed assets in memory as the static route would, byte for byte, but without a fiber: a
 * page asks for dozens of them at once. Everything else is the router's, also the first request for each asset.
 */
export const assetListener = Effect.gen(function* () {
  const settings = yield* Settings
  const files = yield* StaticFiles
  const trust = yield* RequestTrust
  const protections = [protectionHeaders(settings)]
  const prepared = new WeakMap<HttpServerResponse.HttpServerResponse, ReadyAnswer>()

  const prepare = (file: HttpServerResponse.HttpServerResponse): ReadyAnswer => {
    const known = prepared.get(file)
    if (known !== undefined) return known
    const { status, headers, body } = withHeaders(protections, file)
    const answer = {
      status,
      headers: Object.entries(headers).flat(),
      body: body._tag === "Uint8Array" ? body.body : undefined
    }
    prepared.set(file, answer)
    return answer
  }

  const answerFirst: FirstAnswer = (request, response) => {
    const { url = "", method = "", headers } = request
    if (!isPlain(request)) return false
    const file = files.ready(url.slice(1), {
      "accept-encoding": headers["accept-encoding"],
      "if-none-match": headers["if-none-match"]
    })
    if (file === undefined || trust.refuseRequest(method, { host: headers.host }) !== undefined) return false
    const answer = prepare(file)
    response.writeHead(answer.status, answer.headers)
    if (method === "HEAD" || answer.body === undefined) response.end()
    else response.end(answer.body)
    return true
  }
  return answerFirst
})
