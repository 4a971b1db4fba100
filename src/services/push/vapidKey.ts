import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { Result, Schema } from "effect"

/** The key pair by which push services recognise this console (VAPID, RFC 8292). */
export interface VapidKey {
  /** The uncompressed point, 65 bytes in base64url without padding: what browsers subscribe with. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

const Base64Url32 = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43}$/))
const Jwk = Schema.Struct({ x: Base64Url32, y: Base64Url32, d: Base64Url32 })
type Jwk = typeof Jwk.Type

const KeyFile = Schema.fromJsonString(Schema.Struct({ version: Schema.Literal(1), ...Jwk.fields }))
const decodeJwk = Schema.decodeUnknownSync(Jwk)
const decodeFile = Schema.decodeUnknownResult(KeyFile)
const encodeFile = Schema.encodeSync(KeyFile)

/** How long a signature is valid, in seconds; push services allow 24 hours at most. */
const VALID_S = 12 * 60 * 60

const keyFrom = (jwk: Jwk): VapidKey => {
  const point = [Buffer.of(4), Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.y, "base64url")]
  return {
    publicKey: Buffer.concat(point).toString("base64url"),
    privateKey: createPrivateKey({ key: { kty: "EC", crv: "P-256", ...jwk }, format: "jwk" })
  }
}

/** A new random key pair. */
export const generateVapidKey = (): VapidKey =>
  keyFrom(decodeJwk(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })))

/** Text of the key file. */
export const encodeVapidKey = ({ privateKey }: VapidKey): string =>
  `${encodeFile({ version: 1, ...decodeJwk(privateKey.export({ format: "jwk" })) })}\n`

/** Reads the key file; `undefined` if it's damaged. */
export const decodeVapidKey = (text: string): VapidKey | undefined =>
  decodeFile(text).pipe(
    Result.flatMap(({ x, y, d }) => Result.try(() => keyFrom({ x, y, d }))),
    Result.getOrUndefined
  )

const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** The `Authorization` header of a push message to this origin; `now` is in epoch milliseconds. */
export const vapidHeader = (
  { privateKey, publicKey }: VapidKey,
  { audience, contact, now }: { readonly audience: string; readonly contact: string; readonly now: number }
): string => {
  const claims = { aud: audience, exp: Math.floor(now / 1000) + VALID_S, sub: contact }
  const signed = `${encodeJson({ typ: "JWT", alg: "ES256" })}.${encodeJson(claims)}`
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" })
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`
}
