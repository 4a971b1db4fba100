import { gatewaySocketUrl, isOfficialGateway } from "../../../services/gateway/client/gatewayTarget.ts"

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
  /** Whether it is the configured gateway, host and port. */
  readonly isGateway: boolean
}

const SCHEMES = new Set(["ws:", "wss:"])

/**
 * An upgrade's target, or `undefined` if it isn't allowed: ws or wss, no credentials, a port from 1 to 65535, and a
 * listed host. The configured gateway is always allowed, and is the default target.
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

/** What's known about an upgrade when deciding whether to add credentials. */
export interface InjectionFacts {
  readonly isGateway: boolean
  readonly hasToken: boolean
  /** Loopback, or an authenticated session. */
  readonly isTrusted: boolean
  readonly isAllowedOrigin: boolean
}

/** Whether the gateway token and device are added to the handshake. */
export const mayInject = (facts: InjectionFacts): boolean =>
  facts.isGateway && facts.hasToken && facts.isTrusted && facts.isAllowedOrigin
