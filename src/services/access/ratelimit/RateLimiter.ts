import { Clock, Context, Effect, Layer, Schedule } from "effect"
import type { RatePreset } from "./presets.ts"
import { attempt, dropOutside, type WindowVerdict } from "./slidingWindow.ts"

/** How many clients and paths are remembered; the least recently used is dropped first. */
const MAX_ENTRIES = 10_000
const PURGE_EVERY = "5 minutes"
/** A key counts as used again only after so many milliseconds: moving it to the end costs as much as judging it. */
const MOVED_EVERY_MS = 1000
/** Longer keys share a bucket with others that start the same, so that a flood of long paths costs no memory. */
const MAX_KEY_LENGTH = 256

export interface RateLimiterShape {
  /** Counts an attempt for the key, unless the limit has been reached. */
  readonly take: (key: string, preset: RatePreset) => Effect.Effect<WindowVerdict>
  /** The same for who knows the time, in epoch milliseconds. */
  readonly takeAt: (now: number, key: string, preset: RatePreset) => WindowVerdict
  /** Takes back the key's latest attempt. */
  readonly refund: (key: string) => Effect.Effect<void>
  /** How many keys are remembered. */
  readonly size: Effect.Effect<number>
}

interface Entry {
  /** The attempts that count, oldest first; brought up to date in place. */
  readonly times: Array<number>
  readonly windowMs: number
  /** When it became the most recently used one. */
  readonly movedAt: number
}

/** Sliding-window limits in memory. */
export class RateLimiter extends Context.Service<RateLimiter, RateLimiterShape>()(
  "agent-console/services/access/ratelimit/RateLimiter"
) {
  static readonly layer = Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const entries = new Map<string, Entry>()

      const store = (key: string, entry: Entry) => {
        entries.delete(key)
        entries.set(key, entry)
        if (entries.size <= MAX_ENTRIES) return
        for (const oldest of entries.keys()) {
          entries.delete(oldest)
          break
        }
      }

      const takeAt = (now: number, name: string, preset: RatePreset) => {
        const key = name.slice(0, MAX_KEY_LENGTH)
        const known = entries.get(key)
        const times = known?.times ?? []
        const verdict = attempt(times, now, preset.limit, preset.windowMs)
        const isRecent = known?.windowMs === preset.windowMs && Math.abs(now - known.movedAt) < MOVED_EVERY_MS
        if (!isRecent) store(key, { times, windowMs: preset.windowMs, movedAt: now })
        return verdict
      }

      const take = (name: string, preset: RatePreset) =>
        Effect.map(Clock.currentTimeMillis, (now) => takeAt(now, name, preset))

      const refund = (name: string) =>
        Effect.sync(() => {
          const key = name.slice(0, MAX_KEY_LENGTH)
          const entry = entries.get(key)
          entry?.times.pop()
          if (entry?.times.length === 0) entries.delete(key)
        })

      const purge = Effect.map(Clock.currentTimeMillis, (now) => {
        for (const [key, entry] of entries) {
          dropOutside(entry.times, now, entry.windowMs)
          if (entry.times.length === 0) entries.delete(key)
        }
      })
      yield* purge.pipe(Effect.schedule(Schedule.spaced(PURGE_EVERY)), Effect.forkScoped)

      return RateLimiter.of({ take, takeAt, refund, size: Effect.sync(() => entries.size) })
    })
  )
}
