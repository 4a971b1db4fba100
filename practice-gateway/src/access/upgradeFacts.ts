/** What a connection's upgrade request says about its origin. */
export interface UpgradeFacts {
  readonly origin: string | undefined
  readonly host: string | undefined
  /** Forwarded-for headers were present. */
  readonly forwarded: boolean
}

const FORWARDED_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

/** Reads what admission needs from the request headers (lower-case names). */
export const upgradeFacts = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): UpgradeFacts => {
  const first = (name: string) => {
    const value = headers[name]
    return typeof value === "string" ? value : value?.[0]
  }
  return {
    origin: first("origin"),
    host: first("host"),
    forwarded: FORWARDED_HEADERS.some((name) => headers[name] !== undefined)
  }
}

const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase()

/**
 * Whether the connection may count as local: no forwarded header, and where the host is checked a loopback `Host`, which
 * 0.0.0.0 is not.
 */
export const isLocalPeer = (facts: UpgradeFacts, checksHost: boolean) =>
  !facts.forwarded && (!checksHost || facts.host === undefined || LOCAL_HOSTS.includes(hostName(facts.host)))

/** The gateway's own origin and any loopback http origin are allowed; another host or `null` is not. */
export const isAllowedOrigin = (facts: UpgradeFacts): boolean => {
  const { origin, host } = facts
  if (origin === undefined || !URL.canParse(origin)) return false
  const parsed = new URL(origin)
  return parsed.host === host || (parsed.protocol === "http:" && LOCAL_HOSTS.includes(parsed.hostname))
}
