import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { hostName, type OriginRefusal } from "../../services/access/trust/originRules.ts"
import { RequestTrust } from "../../services/access/trust/RequestTrust.ts"
import { errorResponse } from "../apiResponse.ts"
import { type Exchange, isEncrypted, peerOf, UNMATCHED } from "./Exchange.ts"
import type { Check } from "./Middleware.ts"
import { unknownAddressPage } from "./unknownAddressPage.ts"

const SENTENCES: Readonly<Record<OriginRefusal, string>> = {
  cross_site: "a page of another site requested this; add that site's address to ALLOWED_ORIGINS to allow it",
  unknown_host: "the console doesn't accept requests for this host name; add its address to ALLOWED_ORIGINS to allow it"
}

/** What orchestrators ask by whatever address they have; the answers have nothing to read for others. */
const PROBES = new Set(["/health", "/healthz", "/readyz"])
const READING = new Set(["GET", "HEAD"])

/** 403 with the reason; the same for requests and upgrades. */
export const refusedResponse = (refusal: OriginRefusal) => errorResponse(403, "forbidden", SENTENCES[refusal])

/** Browsers tell only servers at trustworthy addresses how they fetch; at another name than this machine's that's HTTPS. */
const saysHttps = ({ headers }: Exchange) => headers["sec-fetch-mode"] !== undefined

/** Rejects changes and preflights of other sites' pages, and unknown host names while auth is off. */
export const originCheck = Effect.gen(function* () {
  const trust = yield* RequestTrust

  /** A person who opens a page gets one. */
  const pageFor = (exchange: Exchange) => {
    const { headers, method, request, isApi } = exchange
    const host = hostName(headers.host ?? "")
    if (isApi || method !== "GET" || host === undefined || !/\btext\/html\b/i.test(headers.accept ?? ""))
      return undefined
    const origins = { peer: peerOf(exchange), isEncrypted: isEncrypted(request), headers }
    const scheme = trust.usesHttps(origins) || saysHttps(exchange) ? "https" : "http"
    const { origin } = new URL(`${scheme}://${headers.host}`)
    return HttpServerResponse.text(unknownAddressPage(origin), { status: 403, contentType: "text/html; charset=utf-8" })
  }

  const check: Check = (exchange) => {
    trust.note({ peer: peerOf(exchange), headers: exchange.headers })
    if (PROBES.has(exchange.path) && READING.has(exchange.method)) return undefined
    const refusal = trust.refuseRequest(exchange.method, exchange.headers)
    if (refusal === undefined) return undefined
    return (refusal === "unknown_host" ? pageFor(exchange) : undefined) ?? refusedResponse(refusal)
  }
  return check
})

/**
 * Rejects whatever another site's page requests of the API, reading too: it couldn't read the answer, but would spend
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
