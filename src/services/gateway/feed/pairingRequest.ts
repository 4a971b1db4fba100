import { Option, Schema } from "effect"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A device that asks to be admitted, as announced and listed by the gateway. */
export const PairingRequest = Schema.Struct({
  requestId: Schema.NonEmptyString,
  deviceId: Schema.String,
  displayName: Text,
  platform: Text,
  clientId: Text,
  clientMode: Text,
  role: Text,
  scopes: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  /** It was admitted before and asks for more. */
  isRepair: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  /** Epoch milliseconds. */
  ts: Schema.optionalKey(Schema.Finite)
})
export type PairingRequest = typeof PairingRequest.Type

const SettledPairing = Schema.Struct({ requestId: Schema.NonEmptyString, decision: Text })

export const readPairing = (payload: unknown): PairingRequest | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(PairingRequest)(payload))

export const readSettledPairing = (payload: unknown): typeof SettledPairing.Type | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(SettledPairing)(payload))
