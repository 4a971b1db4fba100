/** Outcome of one attempt against a sliding window. */
export interface WindowVerdict {
  readonly allowed: boolean
  /** Attempts left in the window after this one. */
  readonly remaining: number
  /** Epoch milliseconds at which the oldest recorded attempt leaves the window. */
  readonly resetAt: number
  /** The times that count from now on, oldest first; refused attempts aren't included. */
  readonly times: ReadonlyArray<number>
}

/** The times still inside the window; one exactly as old as the window is outside. */
export const timesInside = (times: ReadonlyArray<number>, now: number, windowMs: number): ReadonlyArray<number> =>
  times.filter((time) => time > now - windowMs && time <= now)

/** Judges an attempt at `now`: at most `limit` in any stretch of `windowMs` milliseconds. */
export const attempt = (times: ReadonlyArray<number>, now: number, limit: number, windowMs: number): WindowVerdict => {
  const inside = timesInside(times, now, windowMs)
  const allowed = inside.length < limit
  const recorded = allowed ? [...inside, now] : inside
  return {
    allowed,
    remaining: limit - recorded.length,
    resetAt: (recorded[0] ?? now) + windowMs,
    times: recorded
  }
}
