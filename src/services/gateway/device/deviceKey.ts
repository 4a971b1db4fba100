import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { Result, Schema } from "effect"

/** An Ed25519 key pair in the gateway's format. */
export interface DeviceKey {
  /** Lower-case hex SHA-256 of the raw public key. */
  readonly id: string
  /** The raw 32 bytes in base64url without padding. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

const Base64Url32 = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43}$/))

const KeyFile = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(1),
    deviceId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
    publicKey: Base64Url32,
    privateKey: Base64Url32
  })
)

const decodeKeyFile = Schema.decodeUnknownResult(KeyFile)
const encodeKeyFile = Schema.encodeSync(KeyFile)

const PublicJwk = Schema.Struct({ x: Base64Url32 })
const PrivateJwk = Schema.Struct({ x: Base64Url32, d: Base64Url32 })
const publicJwk = Schema.decodeUnknownSync(PublicJwk)
const privateJwk = Schema.decodeUnknownSync(PrivateJwk)

/** DER of a PKCS#8 Ed25519 private key up to its 32 secret bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex")

const keyFrom = (privateKey: KeyObject): DeviceKey => {
  const publicKey = publicJwk(createPublicKey(privateKey).export({ format: "jwk" })).x
  const id = createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex")
  return { id, publicKey, privateKey }
}

/** A new random key pair. */
export const generateDeviceKey = (): DeviceKey => keyFrom(generateKeyPairSync("ed25519").privateKey)

/** The key pair that belongs to 32 secret bytes. */
export const deviceKeyFromSeed = (seed: Uint8Array): DeviceKey =>
  keyFrom(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" }))

/** Text of the identity file. */
export const encodeDeviceKey = (key: DeviceKey): string =>
  `${encodeKeyFile({
    version: 1,
    deviceId: key.id,
    publicKey: key.publicKey,
    privateKey: privateJwk(key.privateKey.export({ format: "jwk" })).d
  })}\n`

/** Reads the identity file; `undefined` if it's damaged or its parts don't belong together. */
export const decodeDeviceKey = (text: string): DeviceKey | undefined => {
  const file = decodeKeyFile(text)
  if (Result.isFailure(file)) return undefined
  const seed = Buffer.from(file.success.privateKey, "base64url")
  if (seed.length !== 32) return undefined
  const key = deviceKeyFromSeed(seed)
  return key.id === file.success.deviceId && key.publicKey === file.success.publicKey ? key : undefined
}

/** Ed25519 over the UTF-8 text, base64url without padding. */
export const signText = (key: DeviceKey, text: string): string =>
  sign(null, Buffer.from(text, "utf8"), key.privateKey).toString("base64url")
