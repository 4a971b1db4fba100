/** Outcome of one attempt against a sliding window. */
export interface WindowVerdict {
  readonly allowed: boolean
  /** Attempts left in the window after this one. */
  readonly remaining: number
  /** Epoch milliseconds at which the oldest recorded attempt leaves the window. */
  readonly resetAt: number
}

/**
 * Removes the times outside the window, including one exactly as old as the window and one after `now`, which a clock
 * that was set back leaves. `times` is sorted, oldest first.
 */
export const dropOutside = (times: Array<number>, now: number, windowMs: number): void => {
  while (times.length > 0 && (times.at(-1) ?? now) > now) times.pop()
  const first = times.findIndex((time) => time > now - windowMs)
  if (first !== 0) times.splice(0, first === -1 ? times.length : first)
}

/**
 * Checks an attempt at `now`: at most `limit` in any `windowMs` milliseconds. `times` holds the attempts in the window
 * and is updated; a refused attempt isn't added.
 */
export const attempt = (times: Array<number>, now: number, limit: number, windowMs: number): WindowVerdict => {
  dropOutside(times, now, windowMs)
  const allowed = times.length < limit
  if (allowed) times.push(now)
  return { allowed, remaining: limit - times.length, resetAt: (times[0] ?? now) + windowMs }
}
