import type { ConnectParams } from "./connectParams.ts"
import { CONSOLE_CLIENT, PROTOCOL_RANGE } from "./consoleClient.ts"
import { type DeviceKey, signText } from "./deviceKey.ts"

/** Layout of the signed text: v3 covers platform and device family, v2 is for gateways that refuse it (D32). */
export type SignatureVersion = "v2" | "v3"

/** What the gateway's `connect.challenge` event carries. */
export interface ConnectChallenge {
  readonly nonce: string
  /** The gateway's clock, epoch milliseconds. */
  readonly ts: number
}

/** What a device signature covers, as it stands in the `connect` parameters that are sent. */
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
  /** Empty when none is sent. */
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

/** How one `connect` request is made good for the gateway. */
export interface ConnectSigning {
  readonly challenge: ConnectChallenge
  /** The gateway's shared token. */
  readonly token: string
  /** `undefined` connects with the token alone, which the gateway answers with reduced scopes. */
  readonly device: { readonly key: DeviceKey; readonly version: SignatureVersion } | undefined
}

/**
 * The parameters that go to the gateway instead of the client's own: token and device of the console, its pinned
 * platform and family, and a protocol range that covers both generations (D32). Everything else is kept, and the
 * signature covers exactly what is returned.
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
