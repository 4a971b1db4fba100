import { createDecipheriv, type ECDH } from "node:crypto"
import { messageKeys } from "../../src/services/push/encryptPush.ts"

/** A browser's own side of a subscription. */
export interface BrowserKeys {
  readonly receiver: ECDH
  readonly auth: Uint8Array
}

/** Reads the body of a push message as a browser does; throws if it isn't for this one. */
export const decryptPush = (body: Buffer, { receiver, auth }: BrowserKeys): Buffer => {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  if (body.length > 4_096 || body.readUInt32BE(16) < sealed.length) throw new Error("the record is too long")
  const keys = { p256dh: receiver.getPublicKey(), auth }
  const { key, nonce } = messageKeys(receiver.computeSecret(senderKey), keys, senderKey, salt)
  const decipher = createDecipheriv("aes-128-gcm", key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("the record has no end")
  return padded.subarray(0, end)
}
