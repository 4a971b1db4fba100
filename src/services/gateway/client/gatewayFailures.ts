import { closeSentence, judgeRefusal, STARTING, unapprovedSentence } from "../../../contract/gatewayCodes.ts"
import { type GatewayNames, PRIMARY_NAMES } from "../../../contract/gatewayNames.ts"
import { isRedirect } from "../../platform/outgoing/redirectRules.ts"
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
export const connecting = new GatewayError({ reason: "unreachable", message: "Connecting to the gateway." })

/** The gateway answers but isn't ready yet. */
export const starting = new GatewayError({ reason: "unreachable", message: STARTING })

/** No token is configured, so there's no attempt to connect. */
export const noToken = new GatewayError({
  reason: "refused",
  message: "No gateway token is configured: set GATEWAY_TOKEN and restart the console."
})

const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** There's no gateway at `url`. */
export const openFailed = (url: string, failure: OpenFailure, names: GatewayNames = PRIMARY_NAMES): GatewayError => {
  const { address, setAddress } = names
  const unreachable = (message: string) => new GatewayError({ reason: "unreachable", message })
  if (failure.status !== undefined && isRedirect(failure.status)) {
    return unreachable(
      `${url} answers with a redirect, which the console doesn't follow: set ${address} to the address it leads to.`
    )
  }
  if (failure.status !== undefined) {
    return unreachable(`${url} answers, but it isn't a gateway (HTTP ${failure.status}): check ${address}.`)
  }
  const code = failure.code ?? ""
  if (code === "ECONNREFUSED") {
    return unreachable(`No gateway is listening at ${url}: start it, or ${setAddress}.`)
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return unreachable(`Couldn't find the host of ${url}: check ${address} and the network.`)
  }
  if (TLS_CODE.test(code)) {
    return unreachable(`Couldn't make a secure connection to ${url}: check its certificate and ${address}.`)
  }
  return unreachable(`Couldn't reach the gateway at ${url}: check that it's running, ${address} and the network.`)
}

/** The gateway accepted the connection but then stayed silent or didn't speak the protocol. */
export const noHandshake = (url: string, { address }: GatewayNames = PRIMARY_NAMES): GatewayError =>
  new GatewayError({
    reason: "unreachable",
    message: `${url} accepts connections but doesn't respond like a gateway: check ${address}, or restart the gateway.`
  })

/** The connection was open and ended; `silent` means nothing was received for two ticks. */
export const linkEnded = (end: number | "silent"): GatewayError =>
  new GatewayError({
    reason: "unreachable",
    message:
      end === "silent"
        ? "The gateway has stopped responding."
        : (closeSentence(end) ?? "The connection to the gateway was lost.")
  })

/** No response within the call's time limit. */
export const timedOut = (method: string): GatewayError =>
  new GatewayError({
    reason: "timeout",
    message: `The gateway didn't answer ${method} in time: try again, and check the gateway's log if it keeps happening.`
  })

/** The response doesn't have this method's form. */
export const wrongShape = (method: string): GatewayError =>
  new GatewayError({
    reason: "shape",
    message: `Couldn't read the gateway's response to ${method}: update the gateway or the console.`
  })

/** A tool disabled in the gateway's settings. */
export const toolNotAllowed = (tool: string): GatewayError =>
  new GatewayError({
    reason: "not_allowed",
    message: `The gateway doesn't allow the ${tool} tool: add it to gateway.tools.allow in the gateway's settings.`
  })

/** The gateway knows the console's device but hasn't approved it, or not for these scopes. */
export const notApproved = (requestId: string | undefined): GatewayError =>
  new GatewayError({
    reason: "not_approved",
    message: unapprovedSentence(requestId),
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
  const { code, kind, requestId, retryAfterMs, sentence } = judgeRefusal(body, names)
  switch (kind) {
    case "retry":
      return { kind, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS, error: starting }
    case "unapproved":
      return { kind, error: notApproved(requestId) }
    case "signature":
    case "device":
      return { kind, error: new GatewayError({ reason: "not_approved", message: sentence, code }) }
    case "denied":
      return { kind, error: new GatewayError({ reason: "refused", message: sentence, code }) }
  }
}
