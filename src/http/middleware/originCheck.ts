import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HeaderRecord } from "../../node/missingHeaders.ts"
import { hostName, type OriginRefusal } from "../../services/access/trust/originRules.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { errorResponse } from "../apiResponse.ts"
import { RouteTable } from "../RouteTable.ts"
import { type Check, isEncrypted, peerOf, type RequestContext, UNMATCHED } from "./RequestContext.ts"

const SENTENCES: Readonly<Record<OriginRefusal, string>> = {
  cross_site: "a page of another site requested this; add that site's address to ALLOWED_ORIGINS to allow it",
  unknown_host: "the console doesn't accept requests for this host name; add its address to ALLOWED_ORIGINS to allow it"
}

/** Requested by orchestrators under any address; the responses contain no data. */
const PROBES = new Set(["/health", "/healthz", "/readyz"])
const READING = new Set(["GET", "HEAD"])

/** 403 with the reason; the same for requests and upgrades. */
export const refusedResponse = (refusal: OriginRefusal) => errorResponse(403, "forbidden", SENTENCES[refusal])

/** Browsers send `Sec-Fetch-*` only to trustworthy addresses: this machine's loopback and HTTPS. */
const saysHttps = ({ headers }: RequestContext) => headers["sec-fetch-mode"] !== undefined

const STYLE = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.5}
main{max-inline-size:36rem;margin:15vh auto 0;padding:1.5rem}h1{font-size:1.375rem}
pre{padding:.75rem 1rem;border:1px solid;border-radius:10px;overflow:auto;user-select:all}`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * What somebody sees who opens a console without sign-in at an address it doesn't know, such as a proxy's: the line that
 * lets it in, where that goes, and what to restart. `origin` is the address, if it is known.
 */
const unknownAddressPage = (origin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Console</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The console doesn't know this address</h1>
<p>Sign-in is off, so it only answers at addresses it knows; otherwise other websites could pass for them. If you use this address for your console, add this line to the file
<code>.env</code> in the folder the console starts in, or to its container's environment:</p>
<pre>ALLOWED_ORIGINS=${escaped(origin)}</pre>
<p>If there is such a line, add the address to it after a comma. Then restart the console and reload this page.</p>
<p>Whoever can open this address then gets in without a password. <code>SVC_AUTH=true</code> asks for one.</p>
</main>
</body>
</html>
`

/** Rejects changes and preflights of other sites' pages, and unknown host names while auth is off. */
export const originCheck = Effect.gen(function* () {
  const trust = yield* RequestTrust

  /** A person who opens a page gets one. */
  const pageFor = (context: RequestContext) => {
    const { headers, method, request, isApi } = context
    const host = hostName(headers.host ?? "")
    if (isApi || method !== "GET" || host === undefined || !/\btext\/html\b/i.test(headers.accept ?? ""))
      return undefined
    const origins = { peer: peerOf(context), isEncrypted: isEncrypted(request), headers }
    const scheme = trust.usesHttps(origins) || saysHttps(context) ? "https" : "http"
    const { origin } = new URL(`${scheme}://${headers.host}`)
    return HttpServerResponse.text(unknownAddressPage(origin), { status: 403, contentType: "text/html; charset=utf-8" })
  }

  const check: Check = (context) => {
    trust.note({ peer: peerOf(context), headers: context.headers })
    if (PROBES.has(context.path) && READING.has(context.method)) return undefined
    const refusal = trust.refuseRequest(context.method, context.headers)
    if (refusal === undefined) return undefined
    return (refusal === "unknown_host" ? pageFor(context) : undefined) ?? refusedResponse(refusal)
  }
  return check
})

/**
 * Rejects every API request by another site's page, including reads: it couldn't read the answer, but would use up
 * the person's limits. A link to the app's pages is followed from anywhere.
 */
export const foreignPages = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = ({ route, headers }) => {
    if (!route.pattern.startsWith("/api/") && route !== UNMATCHED) return undefined
    const refusal = trust.refuseForeign(headers)
    return refusal === undefined ? undefined : refusedResponse(refusal)
  }
  return check
})

const VARY: HeaderRecord = { vary: "Origin" }
const PREFLIGHT: HeaderRecord = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers": "Content-Type, Authorization",
  "access-control-max-age": "600"
}
/** Response headers a page from another allowed origin may read. */
const EXPOSED = "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

/** Allows cross-origin reading for the allowed origins. */
export const cors = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const check: Check = ({ headers: { origin }, extra }) => {
    const isAllowed = origin !== undefined && trust.isAllowedOrigin(origin)
    if (origin !== undefined) extra.push(VARY)
    if (isAllowed) {
      extra.push({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        "access-control-expose-headers": EXPOSED
      })
    }
    return undefined
  }
  return check
})

/** Answers every OPTIONS request. */
export const preflight = Effect.gen(function* () {
  const trust = yield* RequestTrust
  const routes = yield* RouteTable
  const check: Check = ({ method, path, headers: { origin } }) => {
    if (method !== "OPTIONS") return undefined
    const isAllowed = origin !== undefined && trust.isAllowedOrigin(origin)
    const allowed = routes.methodsOf(path)
    const allow: HeaderRecord = allowed.length > 0 ? { allow: allowed.join(", ") } : {}
    return HttpServerResponse.empty({ status: 204, headers: isAllowed ? { ...PREFLIGHT, ...allow } : allow })
  }
  return check
})
