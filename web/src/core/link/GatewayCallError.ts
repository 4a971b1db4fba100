import { judgeCall, judgeClose, judgeRefusal, type Refusal } from "../../../../src/contract/gatewayCodes.ts"
import { fieldsOf, numberOf, textOf } from "../../../../src/contract/looseFields.ts"
import { say } from "../language/say.ts"

export type GatewayCallFailure = "offline" | "disconnected" | "timeout" | "refused" | "tooLarge"

/**
 * Why a gateway call failed. With `disconnected` and `timeout` nobody knows whether the gateway acted on it; with any
 * other kind it didn't. `message` is a sentence for people, never the gateway's own text.
 */
export class GatewayCallError extends Error {
  readonly kind: GatewayCallFailure

  constructor(kind: GatewayCallFailure, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The failure in a gateway's error response. */
export function refusedCall(error: unknown): GatewayCallError {
  const { code, details, message } = fieldsOf(error)
  const known = judgeCall(textOf(code), textOf(fieldsOf(details).code), textOf(message) ?? "")
  return new GatewayCallError("refused", known?.[2] ?? say("The gateway refused the request."))
}

/** The sentence for whatever a call rejected with. */
export const failureSentence = (reason: unknown): string =>
  reason instanceof GatewayCallError
    ? reason.message
    : say("Something went wrong on this page. Reload it and try again.")

/** A gateway that lets an unapproved device in by its token gives it no permissions, and names no request. */
export const UNAPPROVED: Refusal = judgeRefusal({ code: "NOT_PAIRED" })

/** Reads the error answer to `connect`. */
export function connectRefusal(error: unknown): Refusal {
  const { code, details, message, retryable, retryAfterMs } = fieldsOf(error)
  const { code: detail, requestId } = fieldsOf(details)
  return judgeRefusal({
    code: textOf(code) ?? "",
    detail: textOf(detail) ?? undefined,
    message: textOf(message) ?? undefined,
    requestId: textOf(requestId) ?? undefined,
    retryable: typeof retryable === "boolean" ? retryable : undefined,
    retryAfterMs: numberOf(retryAfterMs) ?? undefined
  })
}

/** Reads a close without an answer to `connect`; null for one that says nothing. */
export function closeRefusal(code: number, reason: string): Refusal | null {
  if (code !== 1008 || !/target not allowed/i.test(reason)) return judgeClose(code, reason) ?? null
  const message = say("The console's server doesn't allow this gateway address: add its host to WS_ALLOWED_HOSTS.")
  return { kind: "denied", code: "", failure: { message }, requestId: undefined, retryAfterMs: undefined }
}

/** Whether the gateway refused a call because this link may not even read. */
export const mayNotRead = (error: unknown): boolean =>
  /^missing scope: operator\.read\b/.test(textOf(fieldsOf(error).message) ?? "")
