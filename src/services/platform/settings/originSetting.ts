const SCHEMES = /^https?:$/

/**
 * An entry of `ALLOWED_ORIGINS` as browsers send it: scheme, host and port. `undefined` for what no browser sends, such
 * as a name alone or a pattern.
 */
export const normaliseOrigin = (entry: string): string | undefined => {
  if (!URL.canParse(entry)) return undefined
  const { hostname, origin, protocol } = new URL(entry)
  return SCHEMES.test(protocol) && !hostname.includes("*") ? origin : undefined
}
