import { isIP } from "node:net"
import { cacheByText } from "./cacheByText.ts"

/** The settings the origin check needs. */
export interface OriginPolicy {
  /** Origins as `new URL(…).origin` writes them. */
  readonly allowedOrigins: ReadonlySet<string>
  /** The address the listeners bind to. */
  readonly host: string
  readonly authEnabled: boolean
}

/** Header values by lower-case name. */
export type OriginHeaders = Readonly<Record<string, string | undefined>>

/** Why a request is rejected with 403. */
export type OriginRefusal = "cross_site" | "unknown_host"

const READING = new Set(["GET", "HEAD"])
const WILDCARD_HOSTS = new Set(["0.0.0.0", "::", "[::]"])
const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether a host name, in lower case, always means this machine. */
export const isLoopbackName = (name: string): boolean => LOOPBACK_NAME.test(name)

/** The origins the console's own page can have on this machine. */
export const ownOrigins = (port: number, sslPort: number): ReadonlyArray<string> =>
  ["localhost", "127.0.0.1"].flatMap((name) => [
    new URL(`http://${name}:${port}`).origin,
    new URL(`https://${name}:${sslPort}`).origin
  ])

/** The host name of a Host header, lower case, without the port; undefined if the header is invalid. */
export const hostName = cacheByText((host: string): string | undefined => {
  const url = `http://${host}`
  return /[/?#@\\\s]/.test(host) || !URL.canParse(url) ? undefined : new URL(url).hostname.replace(/\.$/, "")
})

/** Whether an Origin header names an allowed origin; `null` never does, no header at all does. */
export const isAllowedOrigin = (origin: string | undefined, policy: OriginPolicy): boolean =>
  origin === undefined || policy.allowedOrigins.has(origin)

/**
 * Whether a Host header can be this console's (DNS rebinding). A console that listens on all addresses can't know its
 * own, so any numeric address counts there: rebinding needs a name.
 */
export const isKnownHost = (host: string | undefined, policy: OriginPolicy): boolean => {
  const name = hostName(host ?? "")
  if (name === undefined) return false
  if (isLoopbackName(name) || name === hostName(policy.host.includes(":") ? `[${policy.host}]` : policy.host)) {
    return true
  }
  if (WILDCARD_HOSTS.has(policy.host) && isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true
  for (const origin of policy.allowedOrigins) if (new URL(origin).hostname === name) return true
  return false
}

/** The `Sec-Fetch-Site` of requests by pages of other origins; typed addresses and bookmarks have `none`. */
const isForeign = (headers: OriginHeaders): boolean =>
  headers["sec-fetch-site"] === "cross-site" || headers["sec-fetch-site"] === "same-site"

/** Returns why a request by a page of another origin is refused; one with an allowed Origin passes. */
export const refuseForeign = (headers: OriginHeaders, policy: OriginPolicy): OriginRefusal | undefined =>
  isForeign(headers) && (headers.origin === undefined || !isAllowedOrigin(headers.origin, policy))
    ? "cross_site"
    : undefined

/** Why an HTTP request is rejected, or undefined if it may pass. */
export const refuseRequest = (
  method: string,
  headers: OriginHeaders,
  policy: OriginPolicy
): OriginRefusal | undefined => {
  if (!policy.authEnabled && !isKnownHost(headers.host, policy)) return "unknown_host"
  if (READING.has(method)) return undefined
  // A preflight carries the page's origin, so an unknown one is refused only if the browser marks it as foreign.
  if (method !== "OPTIONS" && !isAllowedOrigin(headers.origin, policy)) return "cross_site"
  return refuseForeign(headers, policy)
}

/** Why a WebSocket upgrade is rejected: the same rule, because an upgrade can always change something. */
export const refuseUpgrade = (headers: OriginHeaders, policy: OriginPolicy): OriginRefusal | undefined =>
  refuseRequest("POST", headers, policy)

/** The target of a request. */
export interface RequestTarget {
  /** The path with its query: it begins with a slash. */
  readonly path: string
  /** The target's host and port, which replaces the Host header; `undefined` if the target has none. */
  readonly host: string | undefined
}

// Schemes are case-insensitive; an address of this console has no user name, backslash or space.
const ABSOLUTE = /^https?:\/\/([^/?#\\@\s]+)(\/[^#]*|\?[^#]*)?$/i

const canonicalHost = (host: string): string | undefined =>
  hostName(host) === undefined ? undefined : new URL(`http://${host}`).host

/**
 * Parses a request target once for all later code: a path (RFC 9112 §3.2.1), or an absolute address (§3.2.2) of a host
 * that this console serves, by the Host header or by its own rules. Anything else is `undefined` and reaches no route,
 * because two parsers could read two different paths in it.
 */
export const readTarget = (
  target: string,
  hostHeader: string | undefined,
  isOwnHost: (host: string) => boolean
): RequestTarget | undefined => {
  if (target.startsWith("/")) return { path: target, host: undefined }
  const [, host, rest = "/"] = ABSOLUTE.exec(target) ?? []
  const named = host === undefined ? undefined : canonicalHost(host)
  if (host === undefined || named === undefined) return undefined
  const isAsked = hostHeader !== undefined && canonicalHost(hostHeader) === named
  if (!isAsked && !isOwnHost(host)) return undefined
  return { path: rest.startsWith("/") ? rest : `/${rest}`, host }
}
