import { Schema } from "effect"

/** An outgoing JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A request frame; unknown fields are rejected. */
export const RequestFrame = Schema.Struct({
  type: Schema.Literal("req"),
  id: Schema.String.check(Schema.isMinLength(1)),
  method: Schema.String.check(Schema.isMinLength(1)),
  params: Schema.optionalKey(Schema.Unknown)
})

const CLIENT_IDS = [
  "webchat-ui",
  "openclaw-control-ui",
  "openclaw-tui",
  "webchat",
  "cli",
  "gateway-client",
  "openclaw-macos",
  "openclaw-ios",
  "openclaw-android",
  "node-host",
  "test",
  "fingerprint",
  "openclaw-probe"
] as const

const Protocol = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Parameters of `connect`; everything a client says about itself. */
export const ConnectParams = Schema.Struct({
  minProtocol: Protocol,
  maxProtocol: Protocol,
  client: Schema.Struct({
    id: Schema.Literals(CLIENT_IDS),
    version: Schema.String.check(Schema.isMinLength(1)),
    platform: Schema.String.check(Schema.isMinLength(1)),
    mode: Schema.Literals(["webchat", "cli", "ui", "backend", "node", "probe", "test", "worker"]),
    displayName: Schema.optionalKey(Schema.String),
    deviceFamily: Schema.optionalKey(Schema.String),
    modelIdentifier: Schema.optionalKey(Schema.String),
    instanceId: Schema.optionalKey(Schema.String)
  }),
  role: Schema.optionalKey(Schema.String),
  scopes: Schema.optionalKey(Schema.Array(Schema.String)),
  caps: Schema.optionalKey(Schema.Array(Schema.String)),
  commands: Schema.optionalKey(Schema.Array(Schema.String)),
  permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Boolean)),
  pathEnv: Schema.optionalKey(Schema.String),
  auth: Schema.optionalKey(
    Schema.Struct({
      token: Schema.optionalKey(Schema.String),
      password: Schema.optionalKey(Schema.String),
      deviceToken: Schema.optionalKey(Schema.String)
    })
  ),
  device: Schema.optionalKey(
    Schema.Struct({
      id: Schema.String,
      publicKey: Schema.String,
      signature: Schema.String,
      signedAt: Schema.Finite,
      nonce: Schema.String
    })
  ),
  locale: Schema.optionalKey(Schema.String),
  userAgent: Schema.optionalKey(Schema.String)
})

export type ConnectRequest = typeof ConnectParams.Type

/** Serialises a response. */
export const okFrame = (id: string, payload: unknown): string => JSON.stringify({ type: "res", id, ok: true, payload })

/** Serialises a refusal; unset fields are omitted. */
export const errorFrame = (
  id: string,
  refusal: {
    readonly code: string
    readonly message: string
    readonly details?: JsonObject
    readonly retryable?: boolean
    readonly retryAfterMs?: number
    readonly payload?: unknown
  }
): string => {
  const { code, message, details, retryable, retryAfterMs, payload } = refusal
  return JSON.stringify({
    type: "res",
    id,
    ok: false,
    payload,
    error: { code, message, details, retryable, retryAfterMs }
  })
}
