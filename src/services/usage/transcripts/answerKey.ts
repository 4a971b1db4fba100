import { hash } from "node:crypto"

/** Of the hash, as many bits as a whole number keeps exactly. */
const HIGH_BYTES = 6
const LOW_BITS = 0x1f

/**
 * What an answer is known by, in whichever file it stands: short ids are only unique within their conversation, so the
 * time belongs to it. A whole number below 2^53; among a million answers, two different ones share one once in 18,000.
 */
export const answerKey = (id: string, writtenAt: string): number => {
  const bytes = hash("sha1", `${writtenAt}\n${id}`, "buffer")
  return bytes.readUIntBE(0, HIGH_BYTES) * (LOW_BITS + 1) + (bytes.readUInt8(HIGH_BYTES) & LOW_BITS)
}
