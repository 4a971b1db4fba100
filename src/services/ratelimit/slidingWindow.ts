/** Outcome of one attempt against a sliding window. */
export interface WindowVerdict {
  readonly allowed: boolean
  /** Attempts left in the window after this one. */
  readonly remaining: number
  /** Epoch milliseconds at which the oldest counted attempt leaves the window. */
  readonly resetAt: number
  /** Times that count from now on, oldest first; a refused attempt is not among them. */
  readonly times: ReadonlyArray<number>
}

/** The times that are still inside the window; one exactly as old as the window has left it. */
export const timesInside = (times: ReadonlyArray<number>, now: number, windowMs: number): ReadonlyArray<number> =>
  times.filter((time) => time > now - windowMs && time <= now)

/** Judges an attempt at `now`: at most `limit` in any stretch of `windowMs` milliseconds (SPEC "Rate limits"). */
export const attempt = (times: ReadonlyArray<number>, now: number, limit: number, windowMs: number): WindowVerdict => {
  const inside = timesInside(times, now, windowMs)
  const allowed = inside.length < limit
  const counted = allowed ? [...inside, now] : inside
  return {
    allowed,
    remaining: limit - counted.length,
    resetAt: (counted[0] ?? now) + windowMs,
    times: counted
  }
}
