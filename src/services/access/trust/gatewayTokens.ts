import { createHash, timingSafeEqual } from "node:crypto"
import { Clock, Effect, Redacted, Schema } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { tokenInUse } from "../../gateway/client/FoundToken.ts"
import { GatewayTargets } from "../../gateway/registry/Gateways.ts"
import { ratePresets } from "../ratelimit/attemptStore.ts"
import { RateLimiter } from "../ratelimit/RateLimiter.ts"

/** Too many wrong tokens came from this address, so no other one is looked at for a while. */
export class TooManyWrongTokens extends Schema.TaggedError<TooManyWrongTokens>()("TooManyWrongTokens", {
  retryAfterMs: Schema.Int
}) {}

/** Sign-in is off, the client is on another machine, and it didn't say the gateway's token. */
export class NotTrusted extends Schema.TaggedError<NotTrusted>()("NotTrusted", {}) {}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const isSame = (one: string, other: Redacted.Redacted<string>): boolean =>
  timingSafeEqual(digest(one), digest(Redacted.value(other)))

/**
 * Checks the gateways' tokens that a client gives where sign-in is off and it isn't on this machine: the gateways whose
 * token is right. `from` is the client's key for rate limits.
 */
export const checkGatewayTokens = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const inUse = yield* tokenInUse
  const targetOf = yield* GatewayTargets
  const tokenOf = (id: string) =>
    id === PRIMARY
      ? Effect.sync(inUse)
      : Effect.orElseSucceed(
          Effect.map(targetOf(id), ({ token }) => token),
          () => undefined
        )

  return Effect.fnUntraced(function* (from: string, given: Readonly<Record<string, string>>) {
    const right = new Set<string>()
    const key = `wrong token ${from}`
    for (const [id, token] of Object.entries(given)) {
      const known = yield* tokenOf(id)
      // Counted before it's looked at, so that simultaneous guesses count too.
      const verdict = yield* limiter.take(key, ratePresets.wrongToken)
      if (!verdict.allowed) {
        return yield* new TooManyWrongTokens({ retryAfterMs: verdict.resetAt - (yield* Clock.currentTimeMillis) })
      }
      if (known === undefined || !isSame(token, known)) continue
      yield* limiter.refund(key)
      right.add(id)
    }
    return right
  })
})
