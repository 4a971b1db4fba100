import { Option, Schema } from "effect"
import { ConnectRequest } from "../device/connectParams.ts"
import type { ConnectChallenge } from "../device/connectSignature.ts"

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

/** The error of a refused `connect`, as far as the console acts on it. */
export type ConnectRefusal = typeof Refusal.Type

const Response = Schema.Struct({
  type: Schema.Literal("res"),
  id: Schema.String,
  ok: Schema.Boolean,
  error: Schema.optionalKey(Schema.Unknown)
})

/** Stands for an error of an unknown shape: it is passed on, never acted upon. */
const UNREADABLE_REFUSAL: ConnectRefusal = { code: "" }

/** What a message of the gateway means to a handshake. */
export type GatewayFrame =
  | { readonly _tag: "challenge"; readonly challenge: ConnectChallenge }
  | { readonly _tag: "accepted"; readonly id: string }
  | { readonly _tag: "refused"; readonly id: string; readonly refusal: ConnectRefusal }
  | { readonly _tag: "other" }

const decodeFrame = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([Challenge, Response])))
const decodeRefusal = Schema.decodeUnknownOption(Refusal)
const decodeConnect = Schema.decodeUnknownOption(Schema.fromJsonString(ConnectRequest))

/** Reads a message of the gateway; anything a handshake does not wait for is `other`. */
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

/** Reads a client's `connect` request; `undefined` for everything else, damaged ones included. */
export const readConnectRequest = (text: string): ConnectRequest | undefined =>
  Option.getOrUndefined(decodeConnect(text))
