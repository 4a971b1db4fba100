import { dotted, readAddress } from "../../platform/settings/addressRange.ts"
import { cacheByText } from "./cacheByText.ts"

/** The parts of a request that say where it came from; header values as received. */
export interface RequestOrigins {
  /** The socket's remote address. */
  readonly peer: string | undefined
  /** Whether the socket is this console's own TLS one. */
  readonly isEncrypted?: boolean
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The peers whose forwarded-client headers are trusted, by canonical address. */
export interface TrustedProxies {
  readonly has: (address: string) => boolean
}

/** A client with an unreadable forwarded address: never local, and all of them share one rate-limit bucket. */
export const UNKNOWN_ADDRESS = "unknown"

const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/
/** Headers by which a proxy says that it is one. */
export const FORWARDING_HEADERS = ["x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-host", "via"]

/**
 * Returns the canonical address: no port, brackets or zone, IPv4-mapped as IPv4, IPv6 compressed; undefined if invalid.
 */
export const canonicalAddress = cacheByText((text: string): string | undefined => {
  const trimmed = text.trim()
  const bare = BRACKETED.exec(trimmed)?.[1] ?? IPV4_WITH_PORT.exec(trimmed)?.[1] ?? trimmed
  return readAddress(bare)
})

/** The prefixes that contain IPv4 addresses: NAT64, for machines with IPv6 only, and 6to4. */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0]
const WRAPPED_IPV4 = 0x2002

/** The eight numbers of a canonical IPv6 address. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const [before = "", after] = address.split("::")
  const numbers = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))
  const first = numbers(before)
  if (after === undefined) return first
  const last = numbers(after)
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

/**
 * Returns the rate-limit key of a canonical address: IPv4 itself, also inside IPv6, and the /64 of IPv6, because a
 * machine may use all addresses of its /64.
 */
export const countedAs = cacheByText((address: string): string => {
  if (!address.includes(":")) return address
  const groups = groupsOf(address)
  if (NAT64.every((group, index) => groups[index] === group)) return dotted(groups[6], groups[7])
  if (groups[0] === WRAPPED_IPV4) return dotted(groups[1], groups[2])
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
})

/** Whether a canonical address is one of this machine's own. */
export const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.")

/**
 * A request's client address: the socket's, unless that's a trusted proxy. Then X-Forwarded-For is read from the right
 * up to the first address that isn't a trusted proxy; without that header, X-Real-IP counts.
 */
export const clientAddress = (request: RequestOrigins, trustedProxies: TrustedProxies): string => {
  const peer = canonicalAddress(request.peer ?? "") ?? UNKNOWN_ADDRESS
  if (!trustedProxies.has(peer)) return peer
  const forwardedFor = request.headers["x-forwarded-for"]
  if (forwardedFor === undefined) {
    const realIp = request.headers["x-real-ip"]
    return realIp === undefined ? peer : (canonicalAddress(realIp) ?? UNKNOWN_ADDRESS)
  }
  let client = peer
  for (const hop of forwardedFor.split(",").reverse()) {
    client = canonicalAddress(hop) ?? UNKNOWN_ADDRESS
    if (!trustedProxies.has(client)) return client
  }
  return client
}

/**
 * Whether a request comes from this machine: a loopback socket and, if it came through a proxy, a trusted one that
 * names a loopback client. An undeclared proxy therefore never makes a remote client look local.
 */
export const isLocalRequest = (request: RequestOrigins, trustedProxies: TrustedProxies): boolean => {
  const peer = canonicalAddress(request.peer ?? "")
  if (peer === undefined || !isLoopbackAddress(peer)) return false
  if (FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)) return true
  const named = request.headers["x-forwarded-for"] ?? request.headers["x-real-ip"]
  return named !== undefined && trustedProxies.has(peer) && isLoopbackAddress(clientAddress(request, trustedProxies))
}

/**
 * Whether the client uses HTTPS: on this connection, or according to a trusted proxy. Each proxy appends its scheme, so
 * the first one is the client's.
 */
export const usesHttps = (request: RequestOrigins, trustedProxies: TrustedProxies): boolean =>
  request.isEncrypted === true ||
  (trustedProxies.has(canonicalAddress(request.peer ?? "") ?? UNKNOWN_ADDRESS) &&
    request.headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim().toLowerCase() === "https")
