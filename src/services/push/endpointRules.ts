import { BlockList, isIPv4, isIPv6 } from "node:net"
import { mayReach } from "../platform/outgoing/OutgoingHttp.ts"

/** Hosts of the browsers' push services. */
const HOSTS: ReadonlySet<string> = new Set(["updates.push.services.mozilla.com", "fcm.googleapis.com"])

/** The suffixes of Apple's and Microsoft's hosts. */
const SUFFIXES = [".push.apple.com", ".notify.windows.com"]

const LONGEST = 2_000

const isPushService = ({ protocol, port, hostname }: URL): boolean =>
  protocol === "https:" && port === "" && (HOSTS.has(hostname) || SUFFIXES.some((suffix) => hostname.endsWith(suffix)))

/** Whether a push message to an address may be sent, and how. */
export type EndpointVerdict =
  /** One of the browsers' push services: its name must not resolve to a private address. */
  | "public"
  /** An origin in the settings, which may be private. */
  | "trusted"
  | "refused"

/**
 * Judges an endpoint, whose address a client chose. `allowedOrigins` are additional origins in the settings.
 * The demo (`isDemo`) allows only those on this machine.
 */
export const judgeEndpoint = (
  endpoint: string,
  allowedOrigins: ReadonlyArray<string>,
  isDemo = false
): EndpointVerdict => {
  if (endpoint.length > LONGEST || !URL.canParse(endpoint)) return "refused"
  const url = new URL(endpoint)
  if (url.username !== "" || url.password !== "") return "refused"
  if (!mayReach({ isDemo }, endpoint)) return "refused"
  if (allowedOrigins.includes(url.origin)) return "trusted"
  return isPushService(url) ? "public" : "refused"
}

/** Addresses that aren't public: this machine, private networks and reserved ranges. */
const PRIVATE_IPV4: ReadonlyArray<readonly [string, number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
]

/** Exceptions in the global range of IPv6: documentation, and addresses that contain an IPv4 address. */
const RESERVED_IPV6: ReadonlyArray<readonly [string, number]> = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
]

const notPublic = new BlockList()
for (const [net, prefix] of PRIVATE_IPV4) notPublic.addSubnet(net, prefix, "ipv4")
for (const [net, prefix] of RESERVED_IPV6) notPublic.addSubnet(net, prefix, "ipv6")

const global = new BlockList()
global.addSubnet("2000::", 3, "ipv6")

/** Whether a resolved address is public. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4")
  return isIPv6(address) && global.check(address, "ipv6") && !notPublic.check(address, "ipv6")
}
