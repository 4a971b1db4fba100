import { judgeCall } from "../../../../src/contract/gatewayCodes.ts"
import { fieldsOf, textOf } from "../common/decode.ts"
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
