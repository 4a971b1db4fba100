import { Option, Schema } from "effect"
import { GATEWAY_CLOSE, judgeClose, judgeRefusal } from "../../../contract/gatewayCodes.ts"
import {
  type ConnectChallenge,
  ConnectRequest,
  type SignatureVersion
} from "../../../services/gateway/device/connectSignature.ts"
import type { CloseStatus } from "./frames/frames.ts"

const Challenge = Schema.Struct({
  type: Schema.Literal("event"),
  event: Schema.Literal("connect.challenge"),
  payload: Schema.Struct({ nonce: Schema.String, ts: Schema.Finite })
})

const Refusal = Schema.Struct({
  code: Schema.String,
  retryable: Schema.optionalKey(Schema.Boolean),
  retryAfterMs: Schema.optionalKey(Schema.Finite),
  details: Schema.optionalKey(
    Schema.Struct({ code: Schema.optionalKey(Schema.String), reason: Schema.optionalKey(Schema.String) })
  )
})

/** The parts of a refused `connect`'s error that the console uses. */
type ConnectRefusal = typeof Refusal.Type

const Response = Schema.Struct({
  type: Schema.Literal("res"),
  id: Schema.String,
  ok: Schema.Boolean,
  error: Schema.optionalKey(Schema.Unknown)
})

/** Placeholder for an error of unknown shape: it's passed on but never acted on. */
const UNREADABLE_REFUSAL: ConnectRefusal = { code: "" }

/** What a gateway message means for a handshake. */
type GatewayFrame =
  | { readonly _tag: "challenge"; readonly challenge: ConnectChallenge }
  | { readonly _tag: "accepted"; readonly id: string }
  | { readonly _tag: "refused"; readonly id: string; readonly refusal: ConnectRefusal }
  | { readonly _tag: "other" }

const decodeFrame = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([Challenge, Response])))
const decodeRefusal = Schema.decodeUnknownOption(Refusal)
const decodeConnect = Schema.decodeUnknownOption(Schema.fromJsonString(ConnectRequest))

/** Reads a gateway message; anything the handshake isn't waiting for is `other`. */
export const readGatewayFrame = (text: string): GatewayFrame =>
  Option.match(decodeFrame(text), {
    onNone: () => ({ _tag: "other" }),
    onSome: (frame) => {
      if (frame.type === "event") return { _tag: "challenge", challenge: frame.payload }
      if (frame.ok) return { _tag: "accepted", id: frame.id }
      const refusal = Option.getOrElse(decodeRefusal(frame.error), () => UNREADABLE_REFUSAL)
      return { _tag: "refused", id: frame.id, refusal }
    }
  })

/** Reads a client's `connect` request; `undefined` for everything else, including damaged ones. */
export const readConnectRequest = (text: string): ConnectRequest | undefined =>
  Option.getOrUndefined(decodeConnect(text))

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
