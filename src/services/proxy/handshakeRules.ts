import type { SignatureVersion } from "../device/connectSignature.ts"
import type { CloseStatus } from "./frames.ts"
import type { ConnectRefusal } from "./gatewayFrames.ts"

/** With which device proof a handshake is tried. */
export type Proof = SignatureVersion | "none"

/** What follows a refused handshake. */
export type NextStep =
  /** Connect anew with another proof, unseen by the browser. */
  | { readonly _tag: "retry"; readonly proof: Proof; readonly delayMs: number }
  /** The browser gets the refusal as it is. */
  | { readonly _tag: "relay" }

const RELAY: NextStep = { _tag: "relay" }
const TRY_AGAIN_LATER = 1013
const POLICY_VIOLATION = 1008
const DEFAULT_DELAY_MS = 500
const LONGEST_DELAY_MS = 10_000
const DEVICE_REASON = /\bdevice\b|\bpairing required\b/

const later = (proof: Proof, delayMs: number | undefined): NextStep => ({
  _tag: "retry",
  proof,
  delayMs: Math.min(Math.max(delayMs ?? DEFAULT_DELAY_MS, 50), LONGEST_DELAY_MS)
})

const isDeviceRefusal = (refusal: ConnectRefusal): boolean => {
  const code = refusal.details?.code
  if (code === undefined) return refusal.code === "NOT_PAIRED"
  return code === "PAIRING_REQUIRED" || code === "AUTH_DEVICE_TOKEN_MISMATCH" || code.startsWith("DEVICE_AUTH_")
}

/**
 * What to do about an error answer to `connect` (D32): a gateway that is still starting is asked again when it says;
 * one that does not know signature v3 gets v2; one that refuses the device gets the token alone.
 */
export const afterRefusal = (refusal: ConnectRefusal, proof: Proof): NextStep => {
  if (refusal.code === "UNAVAILABLE" && refusal.retryable !== false) return later(proof, refusal.retryAfterMs)
  if (proof === "none") return RELAY
  if (proof === "v3" && refusal.details?.code === "DEVICE_AUTH_SIGNATURE_INVALID") {
    return { _tag: "retry", proof: "v2", delayMs: 0 }
  }
  return isDeviceRefusal(refusal) ? { _tag: "retry", proof: "none", delayMs: 0 } : RELAY
}

/** The same for a gateway that closes without an answer. */
export const afterClose = (status: CloseStatus, proof: Proof): NextStep => {
  if (status.code === TRY_AGAIN_LATER) return later(proof, undefined)
  return proof !== "none" && status.code === POLICY_VIOLATION && DEVICE_REASON.test(status.reason)
    ? { _tag: "retry", proof: "none", delayMs: 0 }
    : RELAY
}
