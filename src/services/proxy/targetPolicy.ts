import { gatewaySocketUrl, isOfficialGateway } from "../trust/gatewayTarget.ts"

/** What decides where the proxy may connect to. */
export interface TargetPolicy {
  /** Origin of the configured gateway, http or https. */
  readonly gatewayUrl: string
  /** Lower-case host names, IPv6 without brackets. */
  readonly allowedHosts: ReadonlyArray<string>
}

/** Where one proxy session goes. */
export interface ProxyTarget {
  readonly url: URL
  /** Whether it is the configured gateway, host and port (D31). */
  readonly isGateway: boolean
}

const SCHEMES = new Set(["ws:", "wss:"])

/**
 * The target of an upgrade, or `undefined` when it is not allowed (SPEC "WebSocket proxy" 1, D30): ws or wss, no
 * credentials, a port from 1 to 65535, and a host that is listed. The configured gateway itself is always allowed, and
 * it is the target when none is named.
 */
export const resolveTarget = (requested: string | undefined, policy: TargetPolicy): ProxyTarget | undefined => {
  const address = requested ?? gatewaySocketUrl(policy.gatewayUrl)
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!SCHEMES.has(url.protocol) || url.port === "0" || url.username !== "" || url.password !== "") return undefined
  const isGateway = isOfficialGateway(url, policy.gatewayUrl)
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return isGateway || policy.allowedHosts.includes(host) ? { url, isGateway } : undefined
}

/** What is known about one upgrade when the injection of credentials is decided. */
export interface InjectionFacts {
  readonly isGateway: boolean
  readonly hasToken: boolean
  /** Loopback, or an authenticated session. */
  readonly isTrusted: boolean
  readonly isAllowedOrigin: boolean
}

/** Whether the gateway token and the device are put into the handshake (SPEC "WebSocket proxy" 3, D31). */
export const mayInject = (facts: InjectionFacts): boolean =>
  facts.isGateway && facts.hasToken && facts.isTrusted && facts.isAllowedOrigin
