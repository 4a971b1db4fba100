import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** Longest cookie value to consider; real ones are under 100 characters. */
const MAX_TOKEN_LENGTH = 256
const TOKEN = /^(\d{1,16})\.([0-9a-f]{64})$/

const sign = (expiry: string, secret: Uint8Array): Buffer => createHmac("sha256", secret).update(expiry).digest()

/** Writes the cookie value `<expiry, epoch ms>.<HMAC-SHA256 in hex>`. */
export const signSession = (expiresAt: number, secret: Uint8Array): string => {
  const expiry = String(expiresAt)
  return `${expiry}.${sign(expiry, secret).toString("hex")}`
}

/** The expiry of a genuine cookie value, even if past; undefined for anything damaged or forged. */
export const readSession = (token: string, secret: Uint8Array): number | undefined => {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const match = TOKEN.exec(token)
  const expiry = match?.[1]
  const signature = match?.[2]
  if (expiry === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature, "hex"), sign(expiry, secret)) ? Number(expiry) : undefined
}

/** Returns the key of a revoked cookie value. */
export const sessionDigest = (token: string): string => createHash("sha256").update(token).digest("hex")

/**
 * The values of all cookies with that name, never decoded: a session value needs no escapes, so one with escapes isn't
 * ours. There can be several, because other paths on a host may set the same name.
 */
export const readCookies = (header: string | undefined, name: string): ReadonlyArray<string> => {
  if (header === undefined) return []
  return header.split(";").flatMap((pair) => {
    const separator = pair.indexOf("=")
    return separator > 0 && pair.slice(0, separator).trim() === name ? [pair.slice(separator + 1).trim()] : []
  })
}
