import { createPublicKey, verify } from "node:crypto"

const HEADER = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/

const fieldsOf = (part: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(JSON.parse(Buffer.from(part, "base64url").toString())))

/** The public key that signed an `Authorization` header for this origin (RFC 8292); throws if it isn't valid. */
export const checkVapid = (header: string, origin: string, now: number): string => {
  const [, head = "", claims = "", signature = "", key = ""] = HEADER.exec(header) ?? []
  const point = Buffer.from(key, "base64url")
  if (point.length !== 65 || point[0] !== 4) throw new Error("no public key")
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url")
  }
  const signer = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, "base64url"))
  const { aud, exp, sub } = fieldsOf(claims)
  if (!isSigned || fieldsOf(head).alg !== "ES256") throw new Error("not signed by that key")
  if (aud !== origin) throw new Error(`signed for ${aud}`)
  const left = Number(exp) - now / 1000
  if (!(left > 0 && left <= 24 * 60 * 60)) throw new Error(`valid for ${left} s`)
  if (!/^(mailto:|https:)/.test(String(sub))) throw new Error("no contact")
  return key
}
