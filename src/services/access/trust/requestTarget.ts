import { hostName } from "./originRules.ts"

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
