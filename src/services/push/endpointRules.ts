import { mayReach } from "../platform/outgoing/mayReach.ts"

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
