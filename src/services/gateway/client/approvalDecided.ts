import { Effect, Result } from "effect"
import type { GatewayError } from "./GatewayError.ts"
import type { AttemptFailure } from "./reconnectRules.ts"

/**
 * Polls the gateway about a device that's waiting for approval until the answer changes: accepted, or refused for
 * another reason. The gateway keeps one request per device, and asking renews it.
 */
export const approvalDecided = Effect.fnUntraced(function* (options: {
  readonly pause: Effect.Effect<void>
  /** One attempt with the device, closed as soon as it's accepted. */
  readonly ask: Effect.Effect<void, AttemptFailure>
  /** Called whenever the approval is still missing; the request may be a new one. */
  readonly onPending: (reason: GatewayError) => Effect.Effect<void>
}) {
  for (;;) {
    yield* options.pause
    const answer = yield* Effect.result(options.ask)
    if (Result.isSuccess(answer)) return
    if (answer.failure._tag === "Failed") continue
    const { error, kind } = answer.failure.refusal
    if (kind === "unapproved") yield* options.onPending(error)
    else if (kind !== "retry") return
  }
})
