import { fieldsOf, numberOf, textOf } from "./decode.ts"

/** What to do after the gateway or the proxy said no. */
export interface Refusal {
  /** `retry` soon, or `stop` until a person acts. */
  readonly action: "retry" | "stop"
  readonly message: string
  /** Milliseconds until the retry, where the gateway named them. */
  readonly retryAfterMs: number | null
}

const stop = (message: string): Refusal => ({ action: "stop", message, retryAfterMs: null })

const CLOCK = "The clocks of the console's and the gateway's machines differ too much, or the device's key was changed."

const BY_CODE: Readonly<Record<string, string>> = {
  AUTH_TOKEN_MISMATCH:
    "The gateway refused the console's token. Set GATEWAY_TOKEN to the gateway's token, then try again.",
  AUTH_TOKEN_MISSING: "The gateway wants a token. Set GATEWAY_TOKEN on the console's server or enter the token here.",
  AUTH_PASSWORD_MISMATCH: "The gateway refused the password.",
  AUTH_PASSWORD_MISSING: "The gateway wants a password, which this console cannot give. Let it use a token.",
  AUTH_DEVICE_TOKEN_MISMATCH: "The gateway no longer knows this console's device. Approve it there, then try again.",
  AUTH_RATE_LIMITED: "Too many failed attempts: the gateway wants five minutes of quiet. Then try again.",
  DEVICE_IDENTITY_REQUIRED: "The gateway only lets approved devices in. Open the console through its own server.",
  DEVICE_AUTH_DEVICE_ID_MISMATCH: CLOCK,
  DEVICE_AUTH_SIGNATURE_EXPIRED: CLOCK,
  DEVICE_AUTH_NONCE_MISMATCH: CLOCK,
  DEVICE_AUTH_SIGNATURE_INVALID: CLOCK,
  CONTROL_UI_ORIGIN_NOT_ALLOWED:
    "The gateway does not allow this page's address. Add it to gateway.controlUi.allowedOrigins.",
  PROTOCOL_MISMATCH: "This gateway speaks another protocol version. Update the console or the gateway."
}

/** A gateway that lets an unapproved device in by its token allows it nothing. */
export const UNAPPROVED = stop(
  'The gateway has to approve this console once. On its machine run "openclaw devices list" and approve it, then try again.'
)

/** Reads the error answer to `connect` (gateway protocol, "Refusals"). */
export function connectRefusal(error: unknown): Refusal {
  const fields = fieldsOf(error)
  const details = fieldsOf(fields.details)
  const code = textOf(details.code) ?? ""
  if (fields.code === "UNAVAILABLE" || fields.retryable === true)
    return { action: "retry", message: "The gateway is starting.", retryAfterMs: numberOf(fields.retryAfterMs) ?? 500 }
  if (code === "PAIRING_REQUIRED") {
    const id = textOf(details.requestId)
    const approve = id !== null && /^[\w.:-]{1,80}$/.test(id) ? `approve ${id}` : "list"
    return stop(
      `The gateway has to approve this console once. On its machine run "openclaw devices ${approve}", then try again.`
    )
  }
  return stop(
    BY_CODE[code] ??
      (/protocol mismatch/i.test(textOf(fields.message) ?? "") ? BY_CODE.PROTOCOL_MISMATCH : undefined) ??
      "The gateway refused the connection. Its log says why."
  )
}

/** Reads a close that came without an answer to `connect`; null for one that says nothing. */
export function closeRefusal(code: number, reason: string): Refusal | null {
  if (code === 4001) return stop("The gateway removed this console's device. Approve it there again, then try again.")
  if (code === 1008 && /target not allowed/i.test(reason))
    return stop("The console's server does not allow this gateway address. Add its host to WS_ALLOWED_HOSTS.")
  if (code === 1008 && /unauthorized|device|origin|pairing/i.test(reason))
    return stop("The gateway refused this console. Check its token and whether its device is approved.")
  if (code === 1012 || code === 1013)
    return { action: "retry", message: "The gateway is restarting.", retryAfterMs: 500 }
  if (code === 1009)
    return { action: "retry", message: "A message was larger than the gateway accepts.", retryAfterMs: null }
  return null
}
