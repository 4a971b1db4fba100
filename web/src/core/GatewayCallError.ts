import { type Fields, fieldsOf, textOf } from "./decode.ts"

export type GatewayCallFailure = "offline" | "disconnected" | "timeout" | "refused" | "tooLarge"

/**
 * Why a call to the gateway did not work. With `disconnected` and `timeout` nobody knows whether the gateway acted on
 * it; with every other kind it did not. `message` is a sentence for people, never the gateway's own text.
 */
export class GatewayCallError extends Error {
  readonly kind: GatewayCallFailure
  /** The gateway's error code, then the one of its details. */
  readonly codes: ReadonlyArray<string>

  constructor(kind: GatewayCallFailure, message: string, codes: ReadonlyArray<string> = []) {
    super(message)
    this.kind = kind
    this.codes = codes
  }
}

const SENTENCES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /MISSING_SCOPE|missing scope|unauthorized role/i,
    "The gateway does not allow this console to do that. Approve its device there."
  ],
  [/expired approval|approval expired/i, "This request was answered already, or its time is over."],
  [/label already in use/i, "Another session already has that name. Choose a different one."],
  [/cannot delete the main session/i, "The main session cannot be deleted. Reset it instead."],
  [/thinking ?level/i, "This model does not offer that thinking level."],
  [/unknown provider|unknown model|model not (found|allowed)/i, "The gateway does not know that model."],
  [/message or attachment required/i, "There is nothing to send."],
  [/attachment|image/i, "The gateway does not accept this attachment."],
  [/unknown method/i, "This gateway is too old or too new for that."],
  [/UNAVAILABLE/, "The gateway is busy or still starting. Try again in a moment."],
  [/RATE_LIMIT/i, "Too many requests. Try again in a minute."]
]

/** The failure behind an error answer of the gateway. */
export function refusedCall(error: unknown): GatewayCallError {
  const fields: Fields = fieldsOf(error)
  const codes = [textOf(fields.code), textOf(fieldsOf(fields.details).code)].filter((code) => code !== null)
  const clue = `${codes.join(" ")} ${textOf(fields.message) ?? ""}`
  const known = SENTENCES.find(([pattern]) => pattern.test(clue))
  return new GatewayCallError("refused", known?.[1] ?? "The gateway refused the request.", codes)
}

/** The sentence of whatever a call rejected with. */
export const failureSentence = (reason: unknown): string =>
  reason instanceof GatewayCallError ? reason.message : "Something went wrong in this page. Reload it and try again."
