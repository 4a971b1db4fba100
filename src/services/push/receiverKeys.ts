import { ECDH } from "node:crypto"
import { Result } from "effect"
import type { ReceiverKeys } from "./encryptPush.ts"

/** A browser's keys as it sends them, base64url. */
export interface EncodedKeys {
  readonly p256dh: string
  readonly auth: string
}

const BASE64URL = /^[\w-]+={0,2}$/
const CURVE = "prime256v1"
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
