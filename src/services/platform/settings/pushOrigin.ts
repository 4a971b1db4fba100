const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Reads an origin of `PUSH_ALLOWED_ORIGINS`: `https`, or `http` on this machine, where nobody can listen in.
 * `undefined` for anything else.
 */
export const pushOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { hostname, origin, pathname, protocol, search } = new URL(text)
  const isSafe = protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))
  return isSafe && pathname === "/" && search === "" ? origin : undefined
}
