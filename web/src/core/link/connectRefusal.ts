import { judgeClose, judgeRefusal, type Refusal } from "../../../../src/contract/gatewayCodes.ts"
import { fieldsOf, numberOf, textOf } from "../common/decode.ts"
import { say } from "../language/say.ts"

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
