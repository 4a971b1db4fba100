import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import type { EarlyListener } from "../../../node/deferredServer.ts"
import { type HeaderRecord, missingHeaders } from "../../../node/missingHeaders.ts"
import { prepareAnswer, type ReadyAnswer, type SendReady } from "../../../node/ReadyAnswer.ts"
import { RequestTrust } from "../../../services/access/trust/RequestTrust.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { packageInfo } from "../../../services/platform/version/packageInfo.ts"
import { API_CACHING, protectionHeaders } from "../../middleware/protectionHeaders.ts"
import { assetPath, INDEX, isHashedAsset, StaticFiles } from "./StaticFiles.ts"

/**
 * Whether a request needs nothing from the middleware but the standard headers: no other method, no other origin, no
 * range, no body.
 */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers.origin === undefined &&
  headers.range === undefined &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined

/** The file a request target definitely names: the first page, hashed assets and the files next to the page. */
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
 * Answers what's the same for everyone, the web app's files, with the same bytes as the routes, but without a fiber and
 * from the moment the port is open: the page loads while the services are still starting. Until the app is there,
 * `/api/version` shows clients that the console has started.
 */
export const earlyListener = Effect.gen(function* () {
  const settings = yield* Settings
  const files = yield* StaticFiles
  const trust = yield* RequestTrust
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const protections = protectionHeaders(settings)
  const senders = new WeakMap<ReadyAnswer, SendReady>()

  const prepare = (answer: ReadyAnswer, ...rules: ReadonlyArray<HeaderRecord>): SendReady => {
    const known = senders.get(answer)
    if (known !== undefined) return known
    const headers = { ...answer.headers, ...missingHeaders(answer.headers, [protections, ...rules]) }
    const send = prepareAnswer({ ...answer, headers })
    senders.set(answer, send)
    return send
  }

  const { name, version } = packageInfo
  const sendVersion = prepare(json({ version, name }), API_CACHING)

  // Almost every request has the same host as the one before; once allowed, it stays allowed.
  let knownHost: string | undefined
  const isKnown = (host: string | undefined): boolean => {
    if (host !== undefined && host === knownHost) return true
    if (trust.refuseRequest("GET", { host }) !== undefined) return false
    knownHost = host
    return true
  }

  const isForeign = ({ headers }: IncomingMessage): boolean =>
    trust.refuseForeign({ "sec-fetch-site": String(headers["sec-fetch-site"]) }) !== undefined

  const listener: EarlyListener = (request, response, pass, isStarting) => {
    const { url = "", headers } = request
    if (!isPlain(request) || !isKnown(headers.host)) return pass()
    if (isStarting && url === "/api/version" && !isForeign(request)) return sendVersion(request, response)
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
