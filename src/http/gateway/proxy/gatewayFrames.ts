import { Option, Schema } from "effect"
import { ConnectRequest } from "../../../services/gateway/device/connectParams.ts"
import type { ConnectChallenge } from "../../../services/gateway/device/connectSignature.ts"

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
export type ConnectRefusal = typeof Refusal.Type

const Response = Schema.Struct({
  type: Schema.Literal("res"),
  id: Schema.String,
  ok: Schema.Boolean,
  error: Schema.optionalKey(Schema.Unknown)
})

/** Placeholder for an error of unknown shape: it's passed on but never acted on. */
const UNREADABLE_REFUSAL: ConnectRefusal = { code: "" }

/** What a gateway message means for a handshake. */
export type GatewayFrame =
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
