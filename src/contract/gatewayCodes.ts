import { approvalCommand, safeRequestId } from "./deviceApproval.ts"
import { type Failure, failuresOf } from "./failure.ts"
import { CONNECTION_FAILURES } from "./failures/connection.ts"
import { type GatewayNames, PRIMARY_NAMES } from "./gatewayNames.ts"

/** What a gateway's refusal of `connect` means for the next attempt. */
export type RefusalKind =
  /** Try again in a moment, or when the gateway says. */
  | "retry"
  /** A person has to approve the device there. Trying again does no harm, and notices the approval. */
  | "unapproved"
  /** The gateway rejected the layout of the device's signature: an older one may work. */
  | "signature"
  /** The device itself isn't accepted: all that's left to try is the token without it. */
  | "device"
  /** Nothing changes until a person does something. */
  | "denied"

/** A refusal, judged the same way by the server and the page. */
export interface Refusal {
  readonly kind: RefusalKind
  /** The gateway's own code, the more specific one if there are two. */
  readonly code: string
  /** What happened and what to do, for people. Contains none of the gateway's own text. */
  readonly failure: Failure
  /** The pending approval's request id; safe inside a shell command. */
  readonly requestId: string | undefined
  /** Milliseconds until the next attempt, if the gateway says. */
  readonly retryAfterMs: number | undefined
}

/** The fields of the error answer to `connect` that matter here. */
export interface ConnectError {
  readonly code: string
  /** `details.code`. */
  readonly detail?: string | undefined
  readonly message?: string | undefined
  /** `details.requestId`. */
  readonly requestId?: string | undefined
  readonly retryable?: boolean | undefined
  readonly retryAfterMs?: number | undefined
}

// The page loads these codes alone: what it fails at itself is the connection.
const failure = failuresOf(CONNECTION_FAILURES)

/** The gateway answers but isn't ready yet. */
export const STARTING = failure("STARTING")

/** The device is known and waiting for approval. */
export const unapproved = (requestId: string | undefined): Failure =>
  requestId === undefined
    ? failure("NOT_APPROVED")
    : failure("NOT_APPROVED_REQUEST", { command: `\`${approvalCommand(requestId)}\`` })

interface Meaning {
  readonly kind: RefusalKind
  readonly failure: Failure | ((names: GatewayNames) => Failure)
}

const denied = (why: Meaning["failure"]): Meaning => ({ kind: "denied", failure: why })

const TOKEN = denied(({ setToken }) => failure("TOKEN_REFUSED", { advice: setToken }))
const OTHER_MODE = denied(failure("TOKENS_NOT_ACCEPTED"))
const PASSWORD = denied(failure("PASSWORD_REQUIRED"))
const PROTOCOL = denied(failure("PROTOCOL_MISMATCH"))
const UNKNOWN = denied(failure("CONNECTION_REFUSED"))
const IDENTITY = failure("DEVICE_IDENTITY_REFUSED")

const BY_CODE: Readonly<Record<string, Meaning>> = {
  AUTH_TOKEN_MISMATCH: TOKEN,
  AUTH_TOKEN_MISSING: TOKEN,
  AUTH_TOKEN_NOT_CONFIGURED: denied(failure("GATEWAY_HAS_NO_TOKEN")),
  AUTH_PASSWORD_MISMATCH: PASSWORD,
  AUTH_PASSWORD_MISSING: PASSWORD,
  AUTH_PASSWORD_NOT_CONFIGURED: PASSWORD,
  AUTH_RATE_LIMITED: denied(failure("TOO_MANY_ATTEMPTS")),
  // Either the device's own token is wrong or, with older gateways, the shared one. Trying without the device shows which.
  AUTH_DEVICE_TOKEN_MISMATCH: {
    kind: "device",
    failure: ({ token }) => failure("DEVICE_TOKEN_MISMATCH", { setting: token })
  },
  DEVICE_IDENTITY_REQUIRED: {
    kind: "device",
    failure: failure("DEVICE_REQUIRED")
  },
  DEVICE_AUTH_SIGNATURE_INVALID: { kind: "signature", failure: IDENTITY },
  DEVICE_AUTH_SIGNATURE_EXPIRED: {
    kind: "device",
    failure: failure("CLOCKS_DIFFER")
  },
  CONTROL_UI_ORIGIN_NOT_ALLOWED: denied(failure("ORIGIN_NOT_ALLOWED")),
  PROTOCOL_MISMATCH: PROTOCOL
}

const BY_PREFIX: ReadonlyArray<readonly [string, Meaning]> = [
  ["DEVICE_AUTH_", { kind: "device", failure: IDENTITY }],
  ["AUTH_TOKEN_", TOKEN],
  ["AUTH_", OTHER_MODE]
]

const knownMeaning = (code: string): Meaning | undefined =>
  BY_CODE[code] ?? BY_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1]

const guessed = (error: ConnectError): Meaning => {
  if (/^protocol mismatch/i.test(error.message ?? "")) return PROTOCOL
  return error.retryable === true ? { kind: "retry", failure: STARTING } : UNKNOWN
}

/** Judges the error answer to `connect`. */
export const judgeRefusal = (error: ConnectError, names: GatewayNames = PRIMARY_NAMES): Refusal => {
  const code = error.detail ?? error.code
  const facts = { code, requestId: undefined, retryAfterMs: error.retryAfterMs }
  if (error.code === "UNAVAILABLE" && error.retryable !== false) return { ...facts, kind: "retry", failure: STARTING }
  const known = knownMeaning(code)
  const explained = ({ kind, failure: why }: Meaning): Refusal => ({
    ...facts,
    kind,
    failure: typeof why === "function" ? why(names) : why
  })
  if (known !== undefined) return explained(known)
  if (code !== "PAIRING_REQUIRED" && error.code !== "NOT_PAIRED") return explained(guessed(error))
  const requestId = safeRequestId(error.requestId)
  return { ...facts, kind: "unapproved", failure: unapproved(requestId), requestId }
}

/** The gateway's close codes that have a special meaning. */
export const GATEWAY_CLOSE = { policy: 1008, tooLarge: 1009, restarting: 1012, tryLater: 1013, deviceRemoved: 4001 }

/** What to say about a link that ended with this code; `undefined` for a code that says nothing. */
export const closeFailure = (code: number): Failure | undefined => {
  switch (code) {
    case GATEWAY_CLOSE.tooLarge:
      return failure("MESSAGE_TOO_LARGE")
    case GATEWAY_CLOSE.restarting:
      return failure("SHUTTING_DOWN")
    case GATEWAY_CLOSE.tryLater:
      return STARTING
    case GATEWAY_CLOSE.deviceRemoved:
      return failure("DEVICE_REMOVED")
    default:
      return undefined
  }
}

const REQUEST_IN_REASON = /\(requestId: ([^)]*)\)/

/** Judges a close without an answer to `connect`; `undefined` for a normal end. */
export const judgeClose = (code: number, reason: string): Refusal | undefined => {
  const refusal = (kind: RefusalKind, why: Failure, requestId?: string): Refusal => ({
    kind,
    code: "",
    failure: why,
    requestId,
    retryAfterMs: undefined
  })
  switch (code) {
    case GATEWAY_CLOSE.restarting:
    case GATEWAY_CLOSE.tryLater:
    // Whether the device may come back shows on the next attempt.
    case GATEWAY_CLOSE.deviceRemoved:
      return refusal("retry", closeFailure(code) ?? STARTING)
    case GATEWAY_CLOSE.policy:
      break
    default:
      return undefined
  }
  if (/\bpairing required\b/i.test(reason)) {
    const requestId = safeRequestId(REQUEST_IN_REASON.exec(reason)?.[1])
    return refusal("unapproved", unapproved(requestId), requestId)
  }
  if (/\bdevice token mismatch\b/i.test(reason)) {
    return judgeRefusal({ code: "INVALID_REQUEST", detail: "AUTH_DEVICE_TOKEN_MISMATCH" })
  }
  if (/\bdevice\b/i.test(reason)) return refusal("device", IDENTITY)
  return /\bunauthorized\b|\borigin\b/i.test(reason) ? refusal("denied", failure("UNAUTHORIZED")) : undefined
}

/** What a refused call is about: the gateway's finer code, how its text says the same, and a sentence for people. */
type CallMeaning = readonly [code: string | null, text: RegExp | null, sentence: string]

const CALLS: ReadonlyArray<CallMeaning> = [
  [
    "MISSING_SCOPE",
    /^(missing scope|unauthorized role)\b/i,
    "The gateway doesn't allow this console to do that. Approve its device there."
  ],
  [
    "APPROVAL_EXPIRED",
    /expired approval|approval (expired|already resolved)/i,
    "This request was already answered, or it expired."
  ],
  [null, /question '.*' (was not found|is already)/i, "This question was already answered, or it expired."],
  [null, /question '.*'/i, "The gateway doesn't accept this answer. Choose another one."],
  [
    null,
    /secret store entry was saved/i,
    "The secret was saved, but the gateway couldn't load it yet. Don't enter it again."
  ],
  [null, /secret store/i, "The gateway couldn't save the secret. Try again, or check its log."],
  ["LABEL_IN_USE", /^label already in use/i, "Another session already has that name. Choose a different one."],
  [null, /cannot delete the main session/i, "The main session can't be deleted. Clear it instead."],
  [
    "INVALID_THINKING_LEVEL",
    /invalid thinkingLevel|thinking ?level .* is (not|only) supported/i,
    "This model doesn't support that thinking level."
  ],
  [
    "UNKNOWN_MODEL",
    /unknown (provider|model)\b|model not (found|allowed)|not (an )?allowed model/i,
    "The gateway doesn't know that model."
  ],
  [null, /message or attachment required/i, "There's nothing to send."],
  [null, /attachment|image/i, "The gateway doesn't accept this attachment."],
  ["UNKNOWN_METHOD", /^unknown method\b/i, "This gateway's version doesn't support that."],
  ["RATE_LIMITED", /^rate limit exceeded\b/i, "Too many requests. Try again in a minute."],
  ["UNAVAILABLE", null, "The gateway is busy or still starting. Try again in a moment."]
]

/** Judges the error answer to any other call: by its finer code, else by its text; `undefined` for an unknown one. */
export const judgeCall = (code: string | null, detail: string | null, message: string): CallMeaning | undefined => {
  const byCode = (given: string | null) => CALLS.find(([known]) => known !== null && known === given)
  return byCode(detail) ?? CALLS.find(([, text]) => text?.test(message)) ?? byCode(code)
}
