import { GATEWAY_CLOSE, judgeClose, judgeRefusal } from "../../../contract/gatewayCodes.ts"
import type { SignatureVersion } from "../../../services/gateway/device/connectSignature.ts"
import type { CloseStatus } from "./frames/frames.ts"
import type { ConnectRefusal } from "./gatewayFrames.ts"

/** The device proof used for a handshake. */
export type Proof = SignatureVersion | "none"

/** What follows a refused handshake. */
export type NextStep =
  /** Reconnect with another proof, without the browser noticing. */
  | { readonly _tag: "retry"; readonly proof: Proof; readonly delayMs: number }
  /** The browser gets the refusal unchanged. */
  | { readonly _tag: "relay" }
  /** The same, unless there's another token by now. */
  | { readonly _tag: "denied" }

const RELAY: NextStep = { _tag: "relay" }
const DEFAULT_DELAY_MS = 500
const LONGEST_DELAY_MS = 10_000

/** Whether the browser prefers the refusal of the device to a session without rights. */
export type WithoutDevice = "allowed" | "refused"

const later = (proof: Proof, delayMs: number | undefined): NextStep => ({
  _tag: "retry",
  proof,
  delayMs: Math.min(Math.max(delayMs ?? DEFAULT_DELAY_MS, 50), LONGEST_DELAY_MS)
})

const tokenAlone = (proof: Proof, withoutDevice: WithoutDevice): NextStep =>
  proof === "none" || withoutDevice === "refused" ? RELAY : { _tag: "retry", proof: "none", delayMs: 0 }

/**
 * What to do about an error answer to `connect`: a gateway that's still starting is retried when it says;
 * one that doesn't know signature v3 gets v2; one that refuses the device gets the token alone, if that's allowed.
 */
export const afterRefusal = (error: ConnectRefusal, proof: Proof, withoutDevice: WithoutDevice): NextStep => {
  const { kind, retryAfterMs } = judgeRefusal({ ...error, detail: error.details?.code })
  switch (kind) {
    case "retry":
      return later(proof, retryAfterMs)
    case "signature":
      return proof === "v3" ? { _tag: "retry", proof: "v2", delayMs: 0 } : tokenAlone(proof, withoutDevice)
    case "unapproved":
    case "device":
      return tokenAlone(proof, withoutDevice)
    case "denied":
      return { _tag: "denied" }
  }
}

/** The same for a gateway that closes without a response. */
export const afterClose = (status: CloseStatus, proof: Proof, withoutDevice: WithoutDevice): NextStep => {
  if (status.code === GATEWAY_CLOSE.tryLater) return later(proof, undefined)
  const kind = judgeClose(status.code, status.reason)?.kind
  return kind === "unapproved" || kind === "device" ? tokenAlone(proof, withoutDevice) : RELAY
}
