import { GatewayError, type GatewayFailureReason } from "./GatewayError.ts"
import type { ErrorBody } from "./gatewayFrames.ts"

/** How a socket could not be opened; `code` is the system's error code, `status` an HTTP status in place of an upgrade. */
export interface OpenFailure {
  readonly code?: string
  readonly status?: number
}

const APPROVE_LIST =
  "run `openclaw devices list` and `openclaw devices approve <requestId>` on the gateway host to approve it"

/** The link is being opened for the first time. */
export const connecting = new GatewayError({ reason: "unreachable", message: "Connecting to the gateway." })

/** The gateway answers but is not ready yet. */
export const starting = new GatewayError({ reason: "unreachable", message: "The gateway is still starting." })

/** No token is configured, so no connection is tried. */
export const noToken = new GatewayError({
  reason: "refused",
  message: "No gateway token is configured: set GATEWAY_TOKEN and restart the console."
})

const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** Nothing that speaks the gateway's protocol could be reached at `url`. */
export const openFailed = (url: string, failure: OpenFailure): GatewayError => {
  const unreachable = (message: string) => new GatewayError({ reason: "unreachable", message })
  if (failure.status !== undefined) {
    return unreachable(`${url} answers, but not as a gateway does (HTTP ${failure.status}): check GATEWAY_URL.`)
  }
  const code = failure.code ?? ""
  if (code === "ECONNREFUSED") {
    return unreachable(`No gateway is listening at ${url}: start it, or set GATEWAY_URL to where it is.`)
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return unreachable(`The host of ${url} cannot be found: check GATEWAY_URL and the network.`)
  }
  if (TLS_CODE.test(code)) {
    return unreachable(`No trusted secure connection to ${url} is possible: check its certificate and GATEWAY_URL.`)
  }
  return unreachable(`The gateway at ${url} cannot be reached: check that it runs, GATEWAY_URL and the network.`)
}

/** The gateway accepted the connection and then said nothing, or not what a gateway says. */
export const noHandshake = (url: string): GatewayError =>
  new GatewayError({
    reason: "unreachable",
    message: `${url} accepts connections but does not answer as a gateway: check GATEWAY_URL, or restart the gateway.`
  })

const RESTART_CLOSE = 1012
const TOO_BIG_CLOSE = 1009

/** The link was open and ended; `silent` is a link on which nothing was heard for two ticks. */
export const linkEnded = (end: number | "silent"): GatewayError => {
  switch (end) {
    case RESTART_CLOSE:
      return new GatewayError({ reason: "unreachable", message: "The gateway is stopping or restarting." })
    case TOO_BIG_CLOSE:
      return new GatewayError({ reason: "unreachable", message: "The gateway refused a message that is too large." })
    case "silent":
      return new GatewayError({ reason: "unreachable", message: "The gateway has stopped answering." })
    default:
      return new GatewayError({ reason: "unreachable", message: "The connection to the gateway was lost." })
  }
}

/** No answer within the call's time limit. */
export const timedOut = (method: string): GatewayError =>
  new GatewayError({
    reason: "timeout",
    message: `The gateway did not answer ${method} in time: try again, and look at the gateway's log if it stays so.`
  })

/** The answer is not what this method answers with. */
export const wrongShape = (method: string): GatewayError =>
  new GatewayError({
    reason: "shape",
    message: `The gateway answered ${method} in a form this console does not know: update the gateway or the console.`
  })

/** A tool the gateway's settings keep from the console. */
export const toolNotAllowed = (tool: string): GatewayError =>
  new GatewayError({
    reason: "not_allowed",
    message: `The gateway does not allow the ${tool} tool: add it to gateway.tools.allow in the gateway's settings.`
  })

/** The gateway knows the console's device and has not approved it, or not for what it asks. */
export const notApproved = (requestId: string | undefined): GatewayError =>
  new GatewayError({
    reason: "not_approved",
    message:
      requestId === undefined
        ? `The gateway has not approved this console's device: ${APPROVE_LIST}.`
        : `The gateway has not approved this console's device: run \`openclaw devices approve ${requestId}\` on the gateway host.`,
    code: "PAIRING_REQUIRED"
  })

const deviceRejected = (code: string): GatewayError =>
  new GatewayError({
    reason: "not_approved",
    message:
      code === "DEVICE_AUTH_SIGNATURE_EXPIRED"
        ? "The gateway refused this console's device because the clocks differ: set the clock of both machines."
        : `The gateway refused this console's device identity: remove it there and ${APPROVE_LIST}.`,
    code
  })

/** What a refused `connect` means for the next attempt. */
export type Refusal =
  /** Ask again after `retryAfterMs`. */
  | { readonly kind: "starting"; readonly retryAfterMs: number; readonly error: GatewayError }
  /** The layout of the signature, or the device itself. */
  | { readonly kind: "signature" | "device"; readonly error: GatewayError }
  /** Nothing changes before a person does something. */
  | { readonly kind: "denied"; readonly error: GatewayError }

const DEFAULT_RETRY_MS = 500

/** Classifies the error answer to `connect`. */
export const refusalOf = (error: ErrorBody): Refusal => {
  const code = error.detail ?? error.code
  const denied = (message: string): Refusal => ({
    kind: "denied",
    error: new GatewayError({ reason: "refused", message, code })
  })
  if (error.code === "UNAVAILABLE") {
    return { kind: "starting", retryAfterMs: error.retryAfterMs ?? DEFAULT_RETRY_MS, error: starting }
  }
  if (code === "DEVICE_AUTH_SIGNATURE_INVALID") return { kind: "signature", error: deviceRejected(code) }
  if (code.startsWith("DEVICE_AUTH_")) return { kind: "device", error: deviceRejected(code) }
  if (error.code === "NOT_PAIRED") return { kind: "device", error: notApproved(error.requestId) }
  if (code === "AUTH_RATE_LIMITED") {
    return denied("The gateway refuses connections for some minutes after too many failed attempts.")
  }
  if (code.startsWith("AUTH_TOKEN_") || code === "AUTH_DEVICE_TOKEN_MISMATCH") {
    return denied("The gateway refused the token: set GATEWAY_TOKEN to the gateway's token and restart the console.")
  }
  if (code.startsWith("AUTH_")) {
    return denied("The gateway does not take a token: set gateway.auth.mode to token in the gateway's settings.")
  }
  if (code === "PROTOCOL_MISMATCH" || error.message.startsWith("protocol mismatch")) {
    return denied("The gateway speaks another version of its protocol: update the gateway or the console.")
  }
  return denied("The gateway refused this console: look at the gateway's log for the reason.")
}

interface Rule {
  readonly code: string
  /** For gateways that give no finer code than INVALID_REQUEST or UNAVAILABLE. */
  readonly text: RegExp
  readonly reason: GatewayFailureReason
  readonly sentence: (method: string) => string
}

const RULES: ReadonlyArray<Rule> = [
  {
    code: "UNKNOWN_METHOD",
    text: /^unknown method\b/i,
    reason: "not_found",
    sentence: (method) => `This gateway does not know ${method}: update the gateway.`
  },
  {
    code: "MISSING_SCOPE",
    text: /^missing scope\b/i,
    reason: "missing_scope",
    sentence: (method) => `The console's device may not use ${method}: approve it again on the gateway with all scopes.`
  },
  {
    code: "UNAUTHORIZED_ROLE",
    text: /^unauthorized role\b/i,
    reason: "not_allowed",
    sentence: (method) => `The gateway does not let a console use ${method}.`
  },
  {
    code: "OVERRIDE_NOT_ALLOWED",
    text: /overrides are not authorized/i,
    reason: "missing_scope",
    sentence: () => "The console's device may not choose a model: approve it again on the gateway with all scopes."
  },
  {
    code: "UNKNOWN_MODEL",
    text: /unknown (provider|model)\b|model not (found|allowed)|is not (an )?allowed model/i,
    reason: "invalid",
    sentence: () => "The gateway does not know this model: choose one of its own."
  },
  {
    code: "INVALID_THINKING_LEVEL",
    text: /invalid thinkingLevel|thinking level .* is not supported/i,
    reason: "invalid",
    sentence: () => "This model does not have that thinking level: choose another one."
  },
  {
    code: "LABEL_IN_USE",
    text: /^label already in use/i,
    reason: "invalid",
    sentence: () => "Another session already has this label: choose another one."
  },
  {
    code: "CRON_JOB_NOT_FOUND",
    text: /unknown cron job|automation not found/i,
    reason: "not_found",
    sentence: () => "The gateway has no such cron job."
  },
  {
    code: "CRON_EXPRESSION",
    text: /CronPattern/,
    reason: "invalid",
    sentence: () => "The schedule is not a valid cron expression, such as `0 9 * * *`."
  },
  {
    code: "UNKNOWN_CHANNEL",
    text: /not a known channel/i,
    reason: "invalid",
    sentence: () => "The gateway has no such channel: configure it there, or choose another one."
  }
]

const TOOL_TEXT = /^Tool not available: ([A-Za-z0-9_.-]{1,64})/

/**
 * The error of a refused call, in words of the console's own (D35). `reduced` is why this link has no scopes, if so:
 * that is then the reason worth telling.
 */
export const callFailed = (method: string, error: ErrorBody, reduced?: GatewayError): GatewayError => {
  const tool = TOOL_TEXT.exec(error.message)?.[1]
  if (tool !== undefined) return toolNotAllowed(tool)
  const rule =
    RULES.find(({ code }) => code === error.detail) ??
    RULES.find(({ text }) => error.detail === undefined && text.test(error.message))
  if (rule !== undefined) {
    if (rule.reason === "missing_scope" && reduced !== undefined) return reduced
    return new GatewayError({ reason: rule.reason, message: rule.sentence(method), code: rule.code })
  }
  const code = error.detail ?? error.code
  switch (error.code) {
    case "FORBIDDEN":
    case "NOT_PAIRED":
      return new GatewayError({ reason: "not_allowed", message: `The gateway does not allow ${method}.`, code })
    case "INVALID_REQUEST":
      return new GatewayError({
        reason: "invalid",
        message: `The gateway did not accept the values for ${method}.`,
        code
      })
    default:
      return new GatewayError({
        reason: "failed",
        message: `The gateway could not carry out ${method}: try again, and look at the gateway's log if it stays so.`,
        code
      })
  }
}
