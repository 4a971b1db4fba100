import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import { Result } from "effect"
import type { ConnectRequest } from "../wire/frames.ts"

/** How far a signature's time may be from the gateway's clock. */
export const MAX_SIGNATURE_SKEW_MS = 120_000

const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex")

/** The raw 32 bytes of an Ed25519 key given as base64url, base64 or SPKI PEM; `undefined` if it's none of these. */
export const rawPublicKey = (text: string): Buffer | undefined => {
  if (text.includes("BEGIN PUBLIC KEY")) {
    const parsed = Result.try(() => createPublicKey(text).export({ type: "spki", format: "der" }))
    return Result.isSuccess(parsed) ? parsed.success.subarray(-32) : undefined
  }
  const raw = Buffer.from(text, "base64url")
  return raw.length === 32 ? raw : undefined
}

/** A device's id: the lower-case hex SHA-256 of its raw public key. */
export const deviceIdOf = (raw: Buffer): string => createHash("sha256").update(raw).digest("hex")

const keyObject = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" })

const lowered = (text: string | undefined) => (text ?? "").trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The text a device signs; v3 binds platform and family, v2 does not. */
export const signedText = (request: ConnectRequest, nonce: string, version: "v2" | "v3"): string => {
  const fields = [
    version,
    request.device?.id ?? "",
    request.client.id,
    request.client.mode,
    request.role ?? "operator",
    (request.scopes ?? []).join(","),
    String(request.device?.signedAt ?? 0),
    request.auth?.token ?? request.auth?.deviceToken ?? "",
    nonce
  ]
  if (version === "v3") fields.push(lowered(request.client.platform), lowered(request.client.deviceFamily))
  return fields.join("|")
}

/** Which payload version the signature fits, if any of those accepted. */
export const verifiedVersion = (
  request: ConnectRequest,
  nonce: string,
  accepted: ReadonlyArray<"v2" | "v3">
): "v2" | "v3" | undefined => {
  const device = request.device
  const raw = device === undefined ? undefined : rawPublicKey(device.publicKey)
  if (device === undefined || raw === undefined) return undefined
  const key = keyObject(raw)
  const signature = Buffer.from(device.signature, "base64url")
  return accepted.find((version) => verify(null, Buffer.from(signedText(request, nonce, version)), key, signature))
}
