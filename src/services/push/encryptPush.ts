import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from "node:crypto"
import { Result } from "effect"

/** The longest payload in bytes, which makes a body of the 4,096 bytes that every push service accepts. */
export const MAX_PAYLOAD = 3_993

const CURVE = "prime256v1"
const RECORD_SIZE = 4_096
/** Ends the last record; push messages have only one. */
const LAST_RECORD = Buffer.of(2)

/** A browser's keys for encryption. */
interface ReceiverKeys {
  /** The uncompressed point of its public key, 65 bytes. */
  readonly p256dh: Uint8Array
  /** The shared secret of browser and console, 16 bytes. */
  readonly auth: Uint8Array
}

/** The values that are new for each message. */
export interface MessageSecrets {
  readonly sender: ECDH
  /** 16 bytes. */
  readonly salt: Uint8Array
}

/** A key pair and a salt for one message. */
const newSecrets = (): MessageSecrets => {
  const sender = createECDH(CURVE)
  sender.generateKeys()
  return { sender, salt: randomBytes(16) }
}

/** Derives key material by HKDF with SHA-256. */
const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes))

/** The key and the nonce of a push message (RFC 8291 §3.4 and RFC 8188 §2.2). */
export const messageKeys = (
  shared: Uint8Array,
  { p256dh, auth }: ReceiverKeys,
  senderKey: Uint8Array,
  salt: Uint8Array
): { readonly key: Buffer; readonly nonce: Buffer } => {
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, senderKey])
  const secret = derive(shared, auth, info, 32)
  return {
    key: derive(secret, salt, "Content-Encoding: aes128gcm\0", 16),
    nonce: derive(secret, salt, "Content-Encoding: nonce\0", 12)
  }
}

/** The body of a push message: the payload, encrypted so that only this browser can read it (RFC 8291). */
export const encryptPush = (
  payload: Uint8Array,
  receiver: ReceiverKeys,
  { sender, salt }: MessageSecrets = newSecrets()
): Buffer => {
  if (payload.length > MAX_PAYLOAD) throw new RangeError("a push message has at most 3,993 bytes")
  const senderKey = sender.getPublicKey()
  const { key, nonce } = messageKeys(sender.computeSecret(receiver.p256dh), receiver, senderKey, salt)
  const cipher = createCipheriv("aes-128-gcm", key, nonce)
  const head = Buffer.alloc(21)
  head.set(salt)
  head.writeUInt32BE(RECORD_SIZE, 16)
  head.writeUInt8(senderKey.length, 20)
  return Buffer.concat([
    head,
    senderKey,
    cipher.update(payload),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag()
  ])
}

/** A browser's keys as it sends them, base64url. */
export interface EncodedKeys {
  readonly p256dh: string
  readonly auth: string
}

const BASE64URL = /^[\w-]+={0,2}$/
const POINT_BYTES = 65
const AUTH_BYTES = 16

const bytesOf = (text: string): Buffer => Buffer.from(BASE64URL.test(text) ? text : "", "base64url")

const isOnCurve = (point: Buffer): boolean => Result.isSuccess(Result.try(() => ECDH.convertKey(point, CURVE)))

/** Reads a browser's keys; `undefined` unless they're a point on the curve and 16 bytes. */
export const readReceiverKeys = (keys: EncodedKeys): ReceiverKeys | undefined => {
  const p256dh = bytesOf(keys.p256dh)
  const auth = bytesOf(keys.auth)
  return p256dh.length === POINT_BYTES && auth.length === AUTH_BYTES && isOnCurve(p256dh) ? { p256dh, auth } : undefined
}
