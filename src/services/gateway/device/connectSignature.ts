import { Schema } from "effect"
import { type DeviceKey, signText } from "./deviceKey.ts"

const Rest = [Schema.Record(Schema.String, Schema.Unknown)] as const

/**
 * Parameters of the gateway's `connect` method. Only the fields the console reads or changes are described; all others
 * are kept as they came.
 */
export const ConnectParams = Schema.StructWithRest(
  Schema.Struct({
    minProtocol: Schema.optionalKey(Schema.Finite),
    maxProtocol: Schema.optionalKey(Schema.Finite),
    client: Schema.StructWithRest(Schema.Struct({ id: Schema.String, mode: Schema.String }), Rest),
    role: Schema.optionalKey(Schema.String),
    scopes: Schema.optionalKey(Schema.Array(Schema.String)),
    auth: Schema.optionalKey(Schema.Unknown),
    device: Schema.optionalKey(Schema.Unknown)
  }),
  Rest
)

export type ConnectParams = typeof ConnectParams.Type

/** The request frame that carries them, always the first a client sends. */
export const ConnectRequest = Schema.Struct({
  type: Schema.Literal("req"),
  id: Schema.String,
  method: Schema.Literal("connect"),
  params: ConnectParams
})

export type ConnectRequest = typeof ConnectRequest.Type

/**
 * What the console says about itself in every handshake it signs. The gateway pins `platform` and `deviceFamily` when
 * it pairs the device and refuses it for ever after when one changes, so they are constants, the same for every browser,
 * machine and release. Both are already trimmed lower case, as the signature wants them.
 */
const CONSOLE_CLIENT = { platform: "agent-console", deviceFamily: "server" } as const

/** Protocol generations of the gateway that the console speaks. */
const PROTOCOL_RANGE = { min: 3, max: 4 } as const

/** Layout of the signed text: v3 covers platform and device family, v2 is for gateways that refuse it. */
export type SignatureVersion = "v2" | "v3"

/** What the gateway's `connect.challenge` event carries. */
export interface ConnectChallenge {
  readonly nonce: string
  /** The gateway's clock, epoch milliseconds. */
  readonly ts: number
}

/** What a device signature covers, exactly as in the `connect` parameters sent. */
export interface SignedFields {
  readonly clientId: string
  readonly clientMode: string
  readonly role: string
  /** In exactly the order sent. */
  readonly scopes: ReadonlyArray<string>
  /** Epoch milliseconds, at most 120 s from the gateway's clock. */
  readonly signedAt: number
  /** The token sent, else the device token sent, else empty. */
  readonly token: string
  readonly nonce: string
  readonly platform: string
  /** Empty if none is sent. */
  readonly deviceFamily: string
}

/** The `device` block of a `connect` request. */
export interface DeviceBlock {
  readonly id: string
  readonly publicKey: string
  readonly signature: string
  readonly signedAt: number
  readonly nonce: string
}

const lowerAscii = (text: string) => text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The text a device signs: the fields joined with bars, in the gateway's order. */
export const signaturePayload = (version: SignatureVersion, deviceId: string, fields: SignedFields): string =>
  [
    version,
    deviceId,
    fields.clientId,
    fields.clientMode,
    fields.role,
    fields.scopes.join(","),
    String(fields.signedAt),
    fields.token,
    fields.nonce,
    ...(version === "v3" ? [lowerAscii(fields.platform), lowerAscii(fields.deviceFamily)] : [])
  ].join("|")

/** Signs the fields with the device's key. */
export const signDevice = (version: SignatureVersion, key: DeviceKey, fields: SignedFields): DeviceBlock => ({
  id: key.id,
  publicKey: key.publicKey,
  signature: signText(key, signaturePayload(version, key.id, fields)),
  signedAt: fields.signedAt,
  nonce: fields.nonce
})

/** What's added to a `connect` request for the gateway. */
export interface ConnectSigning {
  readonly challenge: ConnectChallenge
  /** The gateway's shared token. */
  readonly token: string
  /** `undefined` connects with the token only, which gets reduced scopes. */
  readonly device: { readonly key: DeviceKey; readonly version: SignatureVersion } | undefined
}

/**
 * The parameters sent to the gateway instead of the client's own: the console's token and device, its pinned platform
 * and family, and a protocol range that covers both generations. Everything else is kept, and the signature covers
 * exactly what's returned.
 */
export const signConnectParams = (params: ConnectParams, signing: ConnectSigning): ConnectParams => {
  const { device: _, ...kept } = params
  const role = params.role ?? "operator"
  const prepared = {
    ...kept,
    minProtocol: Math.min(params.minProtocol ?? PROTOCOL_RANGE.min, PROTOCOL_RANGE.min),
    maxProtocol: Math.max(params.maxProtocol ?? PROTOCOL_RANGE.max, PROTOCOL_RANGE.max),
    client: { ...params.client, ...CONSOLE_CLIENT },
    role,
    scopes: params.scopes ?? [],
    auth: { token: signing.token }
  }
  if (signing.device === undefined) return prepared
  const device = signDevice(signing.device.version, signing.device.key, {
    clientId: params.client.id,
    clientMode: params.client.mode,
    role,
    scopes: prepared.scopes,
    signedAt: signing.challenge.ts,
    token: signing.token,
    nonce: signing.challenge.nonce,
    ...CONSOLE_CLIENT
  })
  return { ...prepared, device }
}
