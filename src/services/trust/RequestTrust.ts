import { Context, Effect, Layer } from "effect"
import { Settings } from "../settings/Settings.ts"
import {
  canonicalAddress,
  clientAddress,
  isForwardedHttps,
  isLocalRequest,
  type RequestOrigins
} from "./clientAddress.ts"
import {
  isAllowedOrigin,
  type OriginHeaders,
  type OriginRefusal,
  ownOrigins,
  refuseRequest,
  refuseUpgrade
} from "./originRules.ts"

export interface RequestTrustShape {
  /** The address a request counts for (D14). */
  readonly clientAddress: (request: RequestOrigins) => string
  /** Whether a request comes from this machine itself, forwarded headers considered. */
  readonly isLocal: (request: RequestOrigins) => boolean
  /** Whether a page of this origin may read answers; a request without Origin may. */
  readonly isAllowedOrigin: (origin: string | undefined) => boolean
  /** Why an HTTP request gets 403, or undefined (D12). */
  readonly refuseRequest: (method: string, headers: OriginHeaders) => OriginRefusal | undefined
  /** Why a WebSocket upgrade gets 403, or undefined (D12, D30). */
  readonly refuseUpgrade: (headers: OriginHeaders) => OriginRefusal | undefined
  /** Whether cookies for this request must be Secure: HTTPS is active here, or a trusted proxy speaks it for us. */
  readonly usesHttps: (request: RequestOrigins) => boolean
  /** Tells the port a listener really got, for settings that leave the choice to the system (port 0). */
  readonly listening: (scheme: "http" | "https", port: number) => Effect.Effect<void>
}

/** The rules of whom to believe, bound to the settings; each is a pure function beside this file. */
export class RequestTrust extends Context.Service<RequestTrust, RequestTrustShape>()(
  "agent-console/services/trust/RequestTrust"
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
        isLocal: (request) => isLocalRequest(request, trustedProxies),
        isAllowedOrigin: (origin) => isAllowedOrigin(origin, policy),
        refuseRequest: (method, headers) => refuseRequest(method, headers, policy),
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
