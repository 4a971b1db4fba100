import { hostname } from "node:os"
import { Context, Effect, Layer, Queue } from "effect"
import { inRanges, readAddressRange } from "../../platform/settings/addressRange.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { cacheByText } from "./cacheByText.ts"
import { clientAddress, countedAs, isLocalRequest, type RequestOrigins, usesHttps } from "./clientAddress.ts"
import {
  isAllowedOrigin,
  isKnownHost,
  type OriginHeaders,
  type OriginRefusal,
  ownOrigins,
  type RequestTarget,
  readTarget,
  refuseForeign,
  refuseRequest,
  refuseUpgrade
} from "./originRules.ts"
import { makeProxySigns, type ProxySign, signSentences } from "./proxySigns.ts"

export interface RequestTrustShape {
  /** The client address of a request. */
  readonly clientAddress: (request: RequestOrigins) => string
  /** The client's key for rate limits: its address, or its /64. */
  readonly countedAddress: (request: RequestOrigins) => string
  /** Whether a request comes from this machine, taking forwarded headers into account. */
  readonly isLocal: (request: RequestOrigins) => boolean
  /** Reads a request target; `undefined` for one that is neither a path nor an address of this console. */
  readonly readTarget: (target: string, hostHeader: string | undefined) => RequestTarget | undefined
  /** Whether a page from this origin may read responses; a request without Origin may. */
  readonly isAllowedOrigin: (origin: string | undefined) => boolean
  /** Why an HTTP request gets 403, or undefined. */
  readonly refuseRequest: (method: string, headers: OriginHeaders) => OriginRefusal | undefined
  /** Why a request by a page of another origin gets 403 whatever its method, or undefined. */
  readonly refuseForeign: (headers: OriginHeaders) => OriginRefusal | undefined
  /** Why a WebSocket upgrade gets 403, or undefined. */
  readonly refuseUpgrade: (headers: OriginHeaders) => OriginRefusal | undefined
  /** Whether cookies for this request must be Secure: it came over HTTPS, here or to a trusted proxy. */
  readonly usesHttps: (request: RequestOrigins) => boolean
  /** Checks a request for signs of an undeclared proxy. */
  readonly note: (request: RequestOrigins) => void
  /** The signs of undeclared proxies so far. */
  readonly proxySigns: () => ReadonlyArray<ProxySign>
  /** Reports a listener's actual port, if the system chose it (port 0). */
  readonly listening: (scheme: "http" | "https", port: number) => Effect.Effect<void>
}

/** The trust rules, bound to the settings; each is a pure function in this folder. */
export class RequestTrust extends Context.Service<RequestTrust, RequestTrustShape>()(
  "agent-console/services/access/trust/RequestTrust"
) {
  static readonly layer = Layer.effect(
    RequestTrust,
    Effect.gen(function* () {
      const settings = yield* Settings
      const ranges = settings.trustedProxies.flatMap((entry) => readAddressRange(entry) ?? [])
      const trustedProxies = { has: cacheByText(inRanges(ranges)) }
      const allowedOrigins = new Set([...ownOrigins(settings.port, settings.sslPort), ...settings.allowedOrigins])
      const policy = { allowedOrigins, host: settings.host, authEnabled: settings.authEnabled }
      const signs = makeProxySigns(trustedProxies, {
        own: new Set([hostname(), `${hostname()}.local`, settings.host].map((name) => name.toLowerCase())),
        isAllowedOrigin: (origin) => isAllowedOrigin(origin, policy)
      })
      const news = yield* Queue.unbounded<ProxySign>()
      const log = (sign: ProxySign) => {
        const { detail, fix } = signSentences(sign)
        return Effect.logWarning(`${detail.message} ${fix.message}`)
      }
      yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(news), log)))
      return RequestTrust.of({
        clientAddress: (request) => clientAddress(request, trustedProxies),
        countedAddress: (request) => countedAs(clientAddress(request, trustedProxies)),
        isLocal: (request) => isLocalRequest(request, trustedProxies),
        readTarget: (target, hostHeader) => readTarget(target, hostHeader, (host) => isKnownHost(host, policy)),
        isAllowedOrigin: (origin) => isAllowedOrigin(origin, policy),
        refuseRequest: (method, headers) => refuseRequest(method, headers, policy),
        refuseForeign: (headers) => refuseForeign(headers, policy),
        refuseUpgrade: (headers) => refuseUpgrade(headers, policy),
        usesHttps: (request) => usesHttps(request, trustedProxies),
        note: (request) => {
          const sign = signs.note(request)
          if (sign !== undefined) Queue.offerUnsafe(news, sign)
        },
        proxySigns: signs.seen,
        listening: (scheme, port) =>
          Effect.sync(() => {
            for (const name of ["localhost", "127.0.0.1"]) {
              allowedOrigins.add(new URL(`${scheme}://${name}:${port}`).origin)
            }
          })
      })
    })
  )
}
