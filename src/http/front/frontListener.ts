import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect } from "effect"
import { Settings } from "../../services/settings/Settings.ts"
import { RequestTrust } from "../../services/trust/RequestTrust.ts"
import { packageInfo } from "../../services/version/packageInfo.ts"
import { type HeaderRecord, missingHeaders } from "../headers.ts"
import { API_CACHING } from "../middleware/cachingRules.ts"
import { protectionHeaders } from "../middleware/protectionHeaders.ts"
import { assetPath, isHashedAsset } from "../static/assetPath.ts"
import { INDEX, StaticFiles } from "../static/StaticFiles.ts"
import { prepareAnswer, type ReadyAnswer, type SendReady } from "./ReadyAnswer.ts"

/** Answers a request, or gives it to `pass` untouched. */
export type FrontListener = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** A socket's time between two requests, as Node's server is set by default. */
const KEEP_ALIVE_MS = 5000

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

/** The file that a request target names for certain: the first page, hashed assets and what lies beside the page. */
const fileOf = (target: string): string | undefined => {
  if (target === "/") return INDEX
  return isHashedAsset(target) || /^\/[^/]+\.[^/]+$/.test(target) ? assetPath(target) : undefined
}

const json = (value: unknown): ReadyAnswer => {
  const body = JSON.stringify(value)
  return {
    status: 200,
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) },
    body
  }
}

/**
 * Answers what is the same for everybody - the web app's files and `/api/version` - as the routes would, byte for byte,
 * but without a fiber and from the moment the port is open: a page loads while the services behind it still start.
 */
export const frontListener = Effect.gen(function* () {
  const settings = yield* Settings
  const files = yield* StaticFiles
  const trust = yield* RequestTrust
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const protections = protectionHeaders(settings)
  const prepared = new WeakMap<ReadyAnswer, SendReady>()

  const prepare = (answer: ReadyAnswer, ...rules: ReadonlyArray<HeaderRecord>): SendReady => {
    const known = prepared.get(answer)
    if (known !== undefined) return known
    const headers = { ...answer.headers, ...missingHeaders(answer.headers, [protections, ...rules]) }
    const send = prepareAnswer({ ...answer, headers }, KEEP_ALIVE_MS)
    prepared.set(answer, send)
    return send
  }

  const { name, version } = packageInfo
  const fixed = new Map([["/api/version", prepare(json({ version, name }), API_CACHING)]])

  // Almost every request names the host of the one before; what is allowed once stays allowed.
  let knownHost: string | undefined
  const isKnown = (host: string | undefined): boolean => {
    if (host !== undefined && host === knownHost) return true
    if (trust.refuseRequest("GET", { host }) !== undefined) return false
    knownHost = host
    return true
  }

  const listener: FrontListener = (request, response, pass) => {
    const { url = "", headers } = request
    if (!isPlain(request) || !isKnown(headers.host)) return pass()
    const constant = fixed.get(url)
    if (constant !== undefined) return constant(request, response)
    const file = fileOf(url)
    if (file === undefined) return pass()
    const preferences = {
      "accept-encoding": headers["accept-encoding"],
      "if-none-match": headers["if-none-match"]
    }
    const ready = files.ready(file, preferences)
    if (ready !== undefined) return prepare(ready)(request, response)
    run(
      Effect.map(files.respond(file, preferences), (answer) => {
        if (answer === undefined) pass()
        else if (!response.destroyed) prepare(answer)(request, response)
      })
    )
  }
  return listener
})
