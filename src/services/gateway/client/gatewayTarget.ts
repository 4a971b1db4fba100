const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"])
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "ws:": "80", "https:": "443", "wss:": "443" }

const hostAndPort = (url: URL): string => {
  const host = LOOPBACK_NAMES.has(url.hostname) ? "loopback" : url.hostname
  return `${host}:${url.port.length > 0 ? url.port : DEFAULT_PORTS[url.protocol]}`
}

/** The WebSocket address of an http or https gateway origin. */
export const gatewaySocketUrl = (gatewayUrl: string): string => gatewayUrl.replace(/^http/, "ws")

/** Whether the gateway runs on the console's own machine. */
export const isLoopbackGateway = (gatewayUrl: string): boolean => LOOPBACK_NAMES.has(new URL(gatewayUrl).hostname)

/** Whether a target is the configured gateway: same host and port, with all loopback names counting as one host. */
export const isOfficialGateway = (target: URL, gatewayUrl: string): boolean =>
  hostAndPort(target) === hostAndPort(new URL(gatewayUrl))
