import { hostName } from "./originRules.ts"

/** What a request asks for. */
export interface RequestTarget {
  /** The path with its query: it begins with a slash. */
  readonly path: string
  /** The host it's asked of, with its port, which replaces the Host header; `undefined` if the target names none. */
  readonly host: string | undefined
}

// Schemes are written in any case; user names, backslashes and spaces have no place in an address of this console.
const ABSOLUTE = /^https?:\/\/([^/?#\\@\s]+)(\/[^#]*|\?[^#]*)?$/i

const canonicalHost = (host: string): string | undefined =>
  hostName(host) === undefined ? undefined : new URL(`http://${host}`).host

/**
 * Reads a request target once, for everybody behind: as a path (RFC 9112 §3.2.1), or as a whole address (§3.2.2) of a
 * host this console answers, by the Host header or by its own rules. `undefined` for anything else, which no route may
 * see: two readers of such a target could see two paths.
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
