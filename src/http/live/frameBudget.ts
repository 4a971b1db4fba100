/** How many frames a client may send: `burst` at once, and `perSecond` afterwards. */
export interface FrameBudget {
  /** Takes one frame at a time in milliseconds; false if there's none left. */
  readonly take: (now: number) => boolean
}

/** A bucket that holds `burst` frames and is filled again at `perSecond`. */
export const makeFrameBudget = (burst: number, perSecond: number, startedAt: number): FrameBudget => {
  let left = burst
  let at = startedAt
  return {
    take: (now) => {
      // A clock that was set back gives nothing, and takes nothing.
      left = Math.min(burst, left + (Math.max(0, now - at) * perSecond) / 1000)
      at = now
      if (left < 1) return false
      left -= 1
      return true
    }
  }
}
