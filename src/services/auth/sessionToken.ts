import { createHash, createHmac, timingSafeEqual } from "node:crypto"

/** Longest cookie value that is looked at; real ones are under 100 characters (D22). */
const MAX_TOKEN_LENGTH = 256
const TOKEN = /^(\d{1,16})\.([0-9a-f]{64})$/

const sign = (expiry: string, secret: Uint8Array): Buffer => createHmac("sha256", secret).update(expiry).digest()

/** Writes the cookie value `<expiry, epoch ms>.<HMAC-SHA256 in hex>` (SPEC "Session cookie"). */
export const signSession = (expiresAt: number, secret: Uint8Array): string => {
  const expiry = String(expiresAt)
  return `${expiry}.${sign(expiry, secret).toString("hex")}`
}

/** The expiry of a genuine cookie value, past ones included; undefined for anything damaged or forged (D22). */
export const readSession = (token: string, secret: Uint8Array): number | undefined => {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const match = TOKEN.exec(token)
  const expiry = match?.[1]
  const signature = match?.[2]
  if (expiry === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature, "hex"), sign(expiry, secret)) ? Number(expiry) : undefined
}

/** The name under which a revoked cookie value is remembered (D21). */
export const sessionDigest = (token: string): string => createHash("sha256").update(token).digest("hex")

/**
 * The values of every cookie of that name as sent, never decoded: a session value needs no escapes, so one with escapes
 * is not ours. There can be several, for other paths of a host may set the same name.
 */
export const readCookies = (header: string | undefined, name: string): ReadonlyArray<string> => {
  if (header === undefined) return []
  return header.split(";").flatMap((pair) => {
    const separator = pair.indexOf("=")
    return separator > 0 && pair.slice(0, separator).trim() === name ? [pair.slice(separator + 1).trim()] : []
  })
}
