import { isIPv4 } from "node:net"

/** The parts of a request that say where it came from; header values as received. */
export interface RequestOrigins {
  /** Address of the socket's other end. */
  readonly peer: string | undefined
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Stands for a client whose forwarded address cannot be read: never local, one rate-limit bucket for all of them. */
export const UNKNOWN_ADDRESS = "unknown"

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/
const IPV6_CHARACTERS = /^[\da-f:.]+$/i
const FORWARDING_HEADERS = ["x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-host", "via"]

/** One spelling per address: no port, brackets or zone, IPv4-mapped as IPv4, IPv6 compressed; undefined when it is none. */
export const canonicalAddress = (text: string): string | undefined => {
  const trimmed = text.trim()
  const bare = BRACKETED.exec(trimmed)?.[1] ?? IPV4_WITH_PORT.exec(trimmed)?.[1] ?? trimmed
  const unzoned = bare.split("%", 1)[0] ?? ""
  const mapped = MAPPED_IPV4.exec(unzoned)?.[1]
  if (mapped !== undefined) return isIPv4(mapped) ? mapped : undefined
  if (isIPv4(unzoned)) return unzoned
  // The URL parser tells an IPv6 address as surely as `net.isIPv6`, whose pattern takes milliseconds of the start.
  const url = `http://[${unzoned}]`
  if (!IPV6_CHARACTERS.test(unzoned) || !URL.canParse(url)) return undefined
  const compressed = new URL(url).hostname.slice(1, -1)
  return compressed.startsWith("::ffff:") ? mappedFromHex(compressed) : compressed
}

const mappedFromHex = (compressed: string): string => {
  const [high = "0", low = "0"] = compressed.slice("::ffff:".length).split(":")
  const value = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return value.flatMap((part) => [part >> 8, part & 255]).join(".")
}

/** Whether a canonical address is one of this machine's own. */
export const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.")

/**
 * The address a request counts for (D14): the socket's, unless the socket's is a trusted proxy. Then X-Forwarded-For is
 * walked from the right to the first address that is not a trusted proxy; without that header X-Real-IP counts.
 */
export const clientAddress = (request: RequestOrigins, trustedProxies: ReadonlySet<string>): string => {
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
 * Whether a request comes from this machine itself: a loopback socket, and where it passed a proxy, a trusted one that
 * names a loopback client. A proxy nobody declared therefore never makes a stranger local.
 */
export const isLocalRequest = (request: RequestOrigins, trustedProxies: ReadonlySet<string>): boolean => {
  const peer = canonicalAddress(request.peer ?? "")
  if (peer === undefined || !isLoopbackAddress(peer)) return false
  if (FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)) return true
  const named = request.headers["x-forwarded-for"] ?? request.headers["x-real-ip"]
  return named !== undefined && trustedProxies.has(peer) && isLoopbackAddress(clientAddress(request, trustedProxies))
}

/** Whether a trusted proxy says that the client's side of it is HTTPS. */
export const isForwardedHttps = (request: RequestOrigins, trustedProxies: ReadonlySet<string>): boolean =>
  trustedProxies.has(canonicalAddress(request.peer ?? "") ?? UNKNOWN_ADDRESS) &&
  request.headers["x-forwarded-proto"]?.split(",").at(-1)?.trim().toLowerCase() === "https"
