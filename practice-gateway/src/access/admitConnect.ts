import { timingSafeEqual } from "node:crypto"
import { Result } from "effect"
import type { Generation } from "../Generation.ts"
import type { ConnectRequest } from "../wire/frames.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import type { AuthFailures } from "./AuthFailures.ts"
import {
  type AskedApproval,
  type DeviceTable,
  decidePairing,
  missingScopes,
  type PairedDevice,
  type PairingReason
} from "./DeviceTable.ts"
import { deviceIdOf, MAX_SIGNATURE_SKEW_MS, rawPublicKey, verifiedVersion } from "./deviceSignature.ts"
import { isAllowedOrigin, isLocalPeer, type UpgradeFacts } from "./upgradeFacts.ts"

/** An accepted connection and its scopes. */
export interface Admission {
  readonly role: string
  readonly scopes: ReadonlyArray<string>
  readonly method: "token" | "device-token"
  readonly device: PairedDevice | undefined
}

/** A rejected connection: the response, the close code, and the approval request it created. */
export interface ConnectRefusal {
  readonly refusal: GatewayRefusal
  readonly closeCode: number
  readonly asked?: AskedApproval
}

/** Everything admission depends on; it only changes the device table and the failure count. */
export interface AdmissionInput {
  readonly generation: Generation
  readonly request: ConnectRequest
  readonly upgrade: UpgradeFacts
  readonly nonce: string
  readonly token: string
  readonly devices: DeviceTable
  /** Only counted for connections with an Origin; others on loopback are exempt. */
  readonly failures: AuthFailures
  readonly now: number
  readonly newId: () => string
  readonly newToken: () => string
}

const BROWSER_CLIENTS: ReadonlyArray<string> = ["webchat-ui", "webchat", "openclaw-control-ui"]
const MAX_TOKEN_BYTES = 1024

const refused = (refusal: GatewayRefusal, closeCode = 1008): Result.Result<never, ConnectRefusal> =>
  Result.fail({ refusal, closeCode })

const sameSecret = (given: string, expected: string) => {
  const padded = (text: string) => Buffer.alloc(MAX_TOKEN_BYTES, 0).fill(text.slice(0, MAX_TOKEN_BYTES), 0, text.length)
  return given.length === expected.length && given.length > 0 && timingSafeEqual(padded(given), padded(expected))
}

const checkProtocol = ({ generation, request }: AdmissionInput) => {
  const expected = generation.protocol
  if (request.minProtocol <= expected && request.maxProtocol >= expected) return undefined
  return invalidRequest("protocol mismatch", {
    code: "PROTOCOL_MISMATCH",
    clientMinProtocol: request.minProtocol,
    clientMaxProtocol: request.maxProtocol,
    expectedProtocol: expected,
    minimumProbeProtocol: 3
  })
}

const checkOrigin = ({ request, upgrade }: AdmissionInput) => {
  const browser = BROWSER_CLIENTS.includes(request.client.id)
  if (upgrade.origin === undefined ? !browser : isAllowedOrigin(upgrade)) return undefined
  const reason =
    upgrade.origin === undefined ? "origin missing or invalid" : "add it to gateway.controlUi.allowedOrigins"
  return invalidRequest(`origin not allowed (${reason})`, {
    code: "CONTROL_UI_ORIGIN_NOT_ALLOWED",
    reason: "origin not allowed"
  })
}

const checkDevice = ({ request, nonce, devices, now }: AdmissionInput) => {
  const device = request.device
  if (device === undefined) return undefined
  const fault = (message: string, code: string, reason: string) => invalidRequest(message, { code, reason })
  const raw = rawPublicKey(device.publicKey)
  if (raw === undefined || deviceIdOf(raw) !== device.id)
    return fault("device identity mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH", "device-id-mismatch")
  if (Math.abs(now - device.signedAt) > MAX_SIGNATURE_SKEW_MS)
    return fault("device signature expired", "DEVICE_AUTH_SIGNATURE_EXPIRED", "device-signature-stale")
  if (device.nonce !== nonce)
    return fault("device nonce mismatch", "DEVICE_AUTH_NONCE_MISMATCH", "device-nonce-mismatch")
  if (verifiedVersion(request, nonce, devices.signatures) === undefined)
    return fault("device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID", "device-signature")
  return undefined
}

const tokenFault = (message: string, code: string, authReason: string, retry: boolean, next: string) =>
  invalidRequest(message, { code, authReason, canRetryWithDeviceToken: retry, recommendedNextStep: next })

const checkSecret = (input: AdmissionInput): Result.Result<"token" | "device-token", GatewayRefusal> => {
  const { request, devices, token } = input
  const shared = request.auth?.token
  const own = request.auth?.deviceToken
  if (shared !== undefined && sameSecret(shared, token)) return Result.succeed("token")
  const known = request.device === undefined ? undefined : devices.paired.get(request.device.id)
  const offered = own ?? shared
  if (known?.token !== undefined && offered !== undefined && sameSecret(offered, known.token))
    return Result.succeed("device-token")
  if (shared === undefined && own === undefined)
    return Result.fail(
      request.device === undefined
        ? new GatewayRefusal({
            code: "NOT_PAIRED",
            message: "device identity required",
            details: { code: "DEVICE_IDENTITY_REQUIRED" }
          })
        : tokenFault(
            "unauthorized: gateway token missing (provide gateway auth token)",
            "AUTH_TOKEN_MISSING",
            "token_missing",
            false,
            "update_auth_configuration"
          )
    )
  return Result.fail(
    shared === undefined
      ? tokenFault(
          "unauthorized: device token mismatch (rotate/reissue device token)",
          "AUTH_DEVICE_TOKEN_MISMATCH",
          "device_token_mismatch",
          false,
          "update_auth_credentials"
        )
      : tokenFault(
          "unauthorized: gateway token mismatch (provide gateway auth token)",
          "AUTH_TOKEN_MISMATCH",
          "token_mismatch",
          request.device !== undefined,
          request.device === undefined ? "update_auth_credentials" : "retry_with_device_token"
        )
  )
}

const RATE_LIMITED = tokenFault(
  "unauthorized: too many failed authentication attempts (retry later)",
  "AUTH_RATE_LIMITED",
  "rate_limited",
  false,
  "wait_then_retry"
)

const pairingRefusal = (input: AdmissionInput, reason: PairingReason): ConnectRefusal => {
  const { request, devices, now, newId } = input
  const asked = devices.policy === "refuse" ? undefined : devices.ask(request, now, newId)
  const known = request.device === undefined ? undefined : devices.paired.get(request.device.id)
  const requestId = asked?.request.requestId ?? newId()
  const details = {
    code: "PAIRING_REQUIRED",
    reason,
    requestId,
    remediationHint: "Approve this device from the pending pairing requests.",
    deviceId: request.device?.id,
    requestedRole: request.role ?? "operator",
    requestedScopes: request.scopes ?? [],
    approvedRoles: known === undefined ? [] : [known.role],
    approvedScopes: known?.scopes ?? []
  }
  return {
    refusal: new GatewayRefusal({
      code: "NOT_PAIRED",
      message: "pairing required: device is not approved yet",
      details
    }),
    closeCode: 1008,
    ...(asked === undefined ? {} : { asked })
  }
}

const withoutDevice = ({ generation, request, upgrade }: AdmissionInput): ReadonlyArray<string> => {
  const { id, mode } = request.client
  const trusted = id === "cli" || (id === "gateway-client" && mode === "backend")
  return generation.trustsLocalPrograms &&
    trusted &&
    isLocalPeer(upgrade, generation.checksHost) &&
    upgrade.origin === undefined
    ? (request.scopes ?? [])
    : []
}

/**
 * Decides whether a `connect` is accepted and with which scopes (by the gateway's rules for clients, devices and
 * origins).
 */
export const admitConnect = (input: AdmissionInput): Result.Result<Admission, ConnectRefusal> => {
  const { generation, request, upgrade, devices, now } = input
  const protocolFault = checkProtocol(input)
  if (protocolFault !== undefined) return refused(protocolFault, 1002)
  const role = request.role ?? "operator"
  if (role !== "operator" && role !== "node") return refused(invalidRequest("invalid role"))
  const fault = checkOrigin(input) ?? checkDevice(input)
  if (fault !== undefined) return refused(fault)
  const browserPeer = upgrade.origin !== undefined
  if (browserPeer && input.failures.locked(now)) return refused(RATE_LIMITED)
  const secret = checkSecret(input)
  if (Result.isFailure(secret)) {
    if (browserPeer) input.failures.record(now)
    return refused(secret.failure)
  }
  const method = secret.success
  if (request.device === undefined) {
    if (request.client.id === "openclaw-control-ui")
      return refused(
        invalidRequest("control ui requires device identity", { code: "CONTROL_UI_DEVICE_IDENTITY_REQUIRED" })
      )
    return Result.succeed({ role, scopes: withoutDevice(input), method, device: undefined })
  }
  const known = devices.paired.get(request.device.id)
  const browser = BROWSER_CLIENTS.includes(request.client.id)
  const local = isLocalPeer(upgrade, generation.checksHost) && (upgrade.origin === undefined || browser)
  if (
    devices.policy !== "refuse" &&
    known === undefined &&
    local &&
    request.client.id === "gateway-client" &&
    request.client.mode === "backend"
  )
    return Result.succeed({ role, scopes: request.scopes ?? [], method, device: undefined })
  const decision = decidePairing({ known, request, local, policy: devices.policy })
  if (decision.kind === "refuse") return Result.fail(pairingRefusal(input, decision.reason))
  const paired =
    decision.kind === "paired" && known?.token !== undefined ? known : devices.pair(request, now, input.newToken)
  const asked = request.scopes ?? []
  const scopes = missingScopes(paired?.scopes ?? [], asked).length === 0 ? asked : []
  return Result.succeed({
    role,
    scopes,
    method,
    device: paired
  })
}

/** A close reason: the message, truncated to fit a close frame. */
export const closeReason = (refusal: GatewayRefusal, namesRequest: boolean): string => {
  const requestId = refusal.details?.requestId
  const text =
    namesRequest && typeof requestId === "string" ? `${refusal.message} (requestId: ${requestId})` : refusal.message
  return Buffer.from(text, "utf8").subarray(0, 120).toString("utf8")
}

/** The response while the gateway is still starting. */
export const startingRefusal: ConnectRefusal = {
  refusal: new GatewayRefusal({
    code: "UNAVAILABLE",
    message: "gateway starting; retry shortly",
    details: { reason: "startup-sidecars" },
    retryable: true,
    retryAfterMs: 500
  }),
  closeCode: 1013
}
