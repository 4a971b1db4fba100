import { Context, Effect, Layer } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import {
  canonicalAddress,
  clientAddress,
  countedAs,
  isForwardedHttps,
  isLocalRequest,
  type RequestOrigins
} from "./clientAddress.ts"
import {
  isAllowedOrigin,
  isKnownHost,
  type OriginHeaders,
  type OriginRefusal,
  ownOrigins,
  refuseForeign,
  refuseRequest,
  refuseUpgrade
} from "./originRules.ts"
import { type RequestTarget, readTarget } from "./requestTarget.ts"

export interface RequestTrustShape {
  /** The client address of a request. */
  readonly clientAddress: (request: RequestOrigins) => string
  /** What limits count the client of a request as: its address, or the /64 it's in. */
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
  /** Whether cookies for this request must be Secure: HTTPS is active here, or a trusted proxy handles it. */
  readonly usesHttps: (request: RequestOrigins) => boolean
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
      const trustedProxies = new Set(settings.trustedProxies.map((address) => canonicalAddress(address) ?? address))
      const allowedOrigins = new Set([...ownOrigins(settings.port, settings.sslPort), ...settings.allowedOrigins])
      const policy = { allowedOrigins, host: settings.host, authEnabled: settings.authEnabled }
      let isHttpsActive = false
      return RequestTrust.of({
        clientAddress: (request) => clientAddress(request, trustedProxies),
        countedAddress: (request) => countedAs(clientAddress(request, trustedProxies)),
        isLocal: (request) => isLocalRequest(request, trustedProxies),
        readTarget: (target, hostHeader) => readTarget(target, hostHeader, (host) => isKnownHost(host, policy)),
        isAllowedOrigin: (origin) => isAllowedOrigin(origin, policy),
        refuseRequest: (method, headers) => refuseRequest(method, headers, policy),
        refuseForeign: (headers) => refuseForeign(headers, policy),
        refuseUpgrade: (headers) => refuseUpgrade(headers, policy),
        usesHttps: (request) => isHttpsActive || isForwardedHttps(request, trustedProxies),
        listening: (scheme, port) =>
          Effect.sync(() => {
            isHttpsActive ||= scheme === "https"
            for (const name of ["localhost", "127.0.0.1"]) {
              allowedOrigins.add(new URL(`${scheme}://${name}:${port}`).origin)
            }
          })
      })
    })
  )
}
