import { isIP } from "node:net"

/** What the origin check needs to know of the settings. */
export interface OriginPolicy {
  /** Origins as `new URL(…).origin` writes them. */
  readonly allowedOrigins: ReadonlySet<string>
  /** The address the listeners bind to. */
  readonly host: string
  readonly authEnabled: boolean
}

/** Header values by lower-case name. */
export type OriginHeaders = Readonly<Record<string, string | undefined>>

/** Why a request is refused with 403 (D12). */
export type OriginRefusal = "cross_site" | "unknown_host"

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"])
const WILDCARD_HOSTS = new Set(["0.0.0.0", "::", "[::]"])
const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The origins a page of the console itself can have on this machine (SPEC "Browser protections"). */
export const ownOrigins = (port: number, sslPort: number): ReadonlyArray<string> =>
  ["localhost", "127.0.0.1"].flatMap((name) => [
    new URL(`http://${name}:${port}`).origin,
    new URL(`https://${name}:${sslPort}`).origin
  ])

/** The host name of a Host header, lower case, without the port; undefined when the header is damaged. */
export const hostName = (host: string): string | undefined => {
  const url = `http://${host}`
  return /[/?#@\\\s]/.test(host) || !URL.canParse(url) ? undefined : new URL(url).hostname.replace(/\.$/, "")
}

/** Whether an Origin header names an allowed origin; `null` never does, no header at all does (SPEC "No Origin header"). */
export const isAllowedOrigin = (origin: string | undefined, policy: OriginPolicy): boolean =>
  origin === undefined || policy.allowedOrigins.has(origin)

/**
 * Whether a Host header can be this console's (DNS rebinding, D12). A console that listens on every address cannot know
 * its own, so there any address in digits counts: rebinding needs a name.
 */
export const isKnownHost = (host: string | undefined, policy: OriginPolicy): boolean => {
  const name = hostName(host ?? "")
  if (name === undefined) return false
  if (LOOPBACK_NAME.test(name) || name === hostName(policy.host.includes(":") ? `[${policy.host}]` : policy.host)) {
    return true
  }
  if (WILDCARD_HOSTS.has(policy.host) && isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true
  for (const origin of policy.allowedOrigins) if (new URL(origin).hostname === name) return true
  return false
}

/** Why an HTTP request is refused, or undefined when it may pass (D12). */
export const refuseRequest = (
  method: string,
  headers: OriginHeaders,
  policy: OriginPolicy
): OriginRefusal | undefined => {
  if (!policy.authEnabled && !isKnownHost(headers.host, policy)) return "unknown_host"
  if (SAFE_METHODS.has(method)) return undefined
  return isAllowedOrigin(headers.origin, policy) && headers["sec-fetch-site"] !== "cross-site"
    ? undefined
    : "cross_site"
}

/** Why a WebSocket upgrade is refused: the same rule, for an upgrade can always change something (D12, D30). */
export const refuseUpgrade = (headers: OriginHeaders, policy: OriginPolicy): OriginRefusal | undefined =>
  refuseRequest("POST", headers, policy)
