import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { type AttemptStore, makeAttemptStore, type RatePreset, type WindowVerdict } from "./attemptStore.ts"

/** The number of keys stored for each limit. */
const MAX_ENTRIES = 10_000
const PURGE_EVERY = "5 minutes"
/** Longer keys with the same prefix share a bucket, so that a flood of long paths needs no memory. */
const MAX_KEY_LENGTH = 256

export interface RateLimiterShape {
  /** Counts an attempt for the key, unless the limit has been reached. */
  readonly take: (key: string, preset: RatePreset) => Effect.Effect<WindowVerdict>
  /** The same with the time of the caller, in epoch milliseconds. */
  readonly takeAt: (now: number, key: string, preset: RatePreset) => WindowVerdict
  /** Removes the key's latest attempt. */
  readonly refund: (key: string) => Effect.Effect<void>
  /** The number of stored keys. */
  readonly size: Effect.Effect<number>
}

/**
 * Sliding-window limits in memory. Each limit has its own store, so that requests never evict failed sign-ins or
 * agents' calls.
 */
export class RateLimiter extends Context.Service<RateLimiter, RateLimiterShape>()(
  "agent-console/services/access/ratelimit/RateLimiter"
) {
  static readonly layer = Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const stores = new Map<RatePreset, AttemptStore>()

      const storeOf = (preset: RatePreset): AttemptStore => {
        const known = stores.get(preset)
        if (known !== undefined) return known
        const store = makeAttemptStore(preset, MAX_ENTRIES)
        stores.set(preset, store)
        return store
      }

      const takeAt = (now: number, key: string, preset: RatePreset) =>
        storeOf(preset).take(now, key.slice(0, MAX_KEY_LENGTH))

      const take = (key: string, preset: RatePreset) =>
        Effect.map(Clock.currentTimeMillis, (now) => takeAt(now, key, preset))

      const refund = (key: string) =>
        Effect.sync(() => {
          for (const store of stores.values()) store.refund(key.slice(0, MAX_KEY_LENGTH))
        })

      const purge = Effect.map(Clock.currentTimeMillis, (now) => {
        for (const store of stores.values()) store.purge(now)
      })
      yield* purge.pipe(Effect.schedule(Schedule.spaced(PURGE_EVERY)), Effect.forkScoped)

      const size = Effect.sync(() => {
        let all = 0
        for (const store of stores.values()) all += store.size()
        return all
      })
      return RateLimiter.of({ take, takeAt, refund, size })
    })
  )
}
