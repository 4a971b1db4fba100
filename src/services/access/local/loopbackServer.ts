/** Numeric addresses only: a name such as `localhost` may resolve to an address of another program. */
const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/

/** Whether an address is an HTTP server on this machine's loopback. */
export const isLoopbackServer = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { hostname, origin, protocol } = new URL(address)
  return protocol === "http:" && origin === address && LOOPBACK.test(hostname)
}
