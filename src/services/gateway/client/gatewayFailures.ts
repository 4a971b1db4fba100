import { Context } from "effect"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { closeFailure, judgeRefusal, STARTING, unapproved } from "../../../contract/gatewayCodes.ts"
import { type GatewayNames, PRIMARY_NAMES } from "../../../contract/gatewayNames.ts"
import { isRedirect } from "../../platform/outgoing/OutgoingHttp.ts"
import { GatewayError } from "./GatewayError.ts"
import type { ErrorBody } from "./gatewayFrames.ts"

/**
 * Why a socket couldn't be opened; `code` is the system's error code, `status` an HTTP status instead of an upgrade.
 */
export interface OpenFailure {
  readonly code?: string
  readonly status?: number
}

/** The first connection is being opened. */
export const connecting = new GatewayError({ reason: "unreachable", ...failure("CONNECTING") })

/** The gateway answers but isn't ready yet. */
export const starting = new GatewayError({ reason: "unreachable", ...STARTING })

/** No token is configured, so there's no attempt to connect. */
export const noToken = new GatewayError({
  reason: "refused",
  ...failure("NO_TOKEN")
})

const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** There's no gateway at `url`. */
export const openFailed = (
  url: string,
  { code = "", status }: OpenFailure,
  names: GatewayNames = PRIMARY_NAMES
): GatewayError => {
  const { address, setAddress } = names
  const unreachable = (why: Failure) => new GatewayError({ reason: "unreachable", ...why })
  if (status !== undefined && isRedirect(status)) {
    return unreachable(failure("REDIRECTED", { address: url, setting: address }))
  }
  if (status !== undefined) {
    return unreachable(failure("NOT_A_GATEWAY", { address: url, status: status, setting: address }))
  }
  if (code === "ECONNREFUSED") {
    return unreachable(failure("NOTHING_LISTENING", { address: url, advice: setAddress }))
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return unreachable(failure("HOST_NOT_FOUND", { address: url, setting: address }))
  }
  if (TLS_CODE.test(code)) {
    return unreachable(failure("TLS_FAILED", { address: url, setting: address }))
  }
  return unreachable(failure("UNREACHABLE", { address: url, setting: address }))
}

/** The gateway accepted the connection but then stayed silent or didn't speak the protocol. */
export const noHandshake = (url: string, { address }: GatewayNames = PRIMARY_NAMES): GatewayError =>
  new GatewayError({
    reason: "unreachable",
    ...failure("NO_HANDSHAKE", { address: url, setting: address })
  })

/** The connection was open and ended; `silent` means nothing was received for two ticks. */
export const linkEnded = (end: number | "silent"): GatewayError =>
  new GatewayError({
    reason: "unreachable",
    ...(end === "silent" ? failure("NOT_RESPONDING") : (closeFailure(end) ?? failure("CONNECTION_LOST")))
  })

/** No response within the call's time limit. */
export const timedOut = (method: string): GatewayError =>
  new GatewayError({
    reason: "timeout",
    ...failure("CALL_TIMED_OUT", { method })
  })

/** The response doesn't have this method's form. */
export const wrongShape = (method: string): GatewayError =>
  new GatewayError({
    reason: "shape",
    ...failure("RESPONSE_UNREADABLE", { method })
  })

/** A tool disabled in the gateway's settings. */
export const toolNotAllowed = (tool: string): GatewayError =>
  new GatewayError({
    reason: "not_allowed",
    ...failure("TOOL_NOT_ALLOWED", { tool })
  })

/** The gateway knows the console's device but hasn't approved it, or not for these scopes. */
export const notApproved = (requestId: string | undefined): GatewayError =>
  new GatewayError({
    reason: "not_approved",
    ...unapproved(requestId),
    code: "PAIRING_REQUIRED",
    ...(requestId === undefined ? {} : { requestId })
  })

/** What a refused `connect` means for the next attempt. */
export type Refusal =
  /** Retry after `retryAfterMs`. */
  | { readonly kind: "retry"; readonly retryAfterMs: number; readonly error: GatewayError }
  /** The device needs approval, or its signature layout or the device itself isn't accepted. */
  | { readonly kind: "unapproved" | "signature" | "device"; readonly error: GatewayError }
  /** Nothing changes until a person does something. */
  | { readonly kind: "denied"; readonly error: GatewayError }

const DEFAULT_RETRY_MS = 500

/** Classifies the error response to `connect`. */
export const refusalOf = (body: ErrorBody, names?: GatewayNames): Refusal => {
  const { code, failure: why, kind, requestId, retryAfterMs } = judgeRefusal(body, names)
  switch (kind) {
    case "retry":
      return { kind, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS, error: starting }
    case "unapproved":
      return { kind, error: notApproved(requestId) }
    case "signature":
    case "device":
      return { kind, error: new GatewayError({ reason: "not_approved", ...why, code }) }
    case "denied":
      return { kind, error: new GatewayError({ reason: "refused", ...why, code }) }
  }
}

const failed = (reason: GatewayError["reason"], why: Failure) => new GatewayError({ reason, ...why })

/** The tool couldn't be started. */
export const cliMissing = failed("not_found", failure("CLI_MISSING"))

/** The tool was stopped at its time limit. */
export const cliTimedOut = failed("timeout", failure("CLI_TIMED_OUT"))

/** The tool failed. */
export const cliFailed = failed("failed", failure("CLI_FAILED"))

/** The tool's output isn't what was expected. */
export const cliWrongShape = failed("shape", failure("CLI_OUTPUT_UNREADABLE"))

/** How failures call the address and the token of the gateway that a scope belongs to. */
export const GatewayNaming = Context.Reference<GatewayNames>("agent-console/services/gateway/client/GatewayNaming", {
  defaultValue: () => PRIMARY_NAMES
})
