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

/** At most `limit` requests in any `windowMs` milliseconds. */
export interface RatePreset {
  readonly limit: number
  readonly windowMs: number
}

/** The limits for each class of routes, and for guesses of secrets. */
export const ratePresets = {
  tts: { limit: 10, windowMs: 60_000 },
  transcribe: { limit: 30, windowMs: 60_000 },
  general: { limit: 60, windowMs: 60_000 },
  /** Drafts, messages and their files: every open page requests them while people type and agents respond. */
  writing: { limit: 300, windowMs: 60_000 },
  agentCalls: { limit: 120, windowMs: 60_000 },
  failedLogin: { limit: 5, windowMs: 60_000 },
  /** Wrong tokens of gateways, by which clients ask for trust that they don't have otherwise. */
  wrongToken: { limit: 5, windowMs: 60_000 }
} as const satisfies Readonly<Record<string, RatePreset>>

/** A key is moved to the end only after this many milliseconds, because moving costs as much as the check. */
const MOVED_EVERY_MS = 1000

interface Entry {
  /** The attempts in the window, oldest first; updated in place. */
  readonly times: Array<number>
  /** When it became the most recently used one. */
  movedAt: number
}

/** The attempts of many keys under one limit. */
export interface AttemptStore {
  /** Counts an attempt for the key at `now`, in epoch milliseconds, unless the limit has been reached. */
  readonly take: (now: number, key: string) => WindowVerdict
  /** Removes the key's latest attempt. */
  readonly refund: (key: string) => void
  /** Removes the keys without attempts in the window. */
  readonly purge: (now: number) => void
  /** The number of stored keys. */
  readonly size: () => number
}

/**
 * Stores at most `most` keys. Keys below the limit are evicted, least recently used first. A key at its limit stays
 * until its window ends, so that invented keys can't evict it; if all keys are at their limit, a new key is refused until one
 * is free, because eviction would lift the limit for any client that can invent keys.
 */
export const makeAttemptStore = ({ limit, windowMs }: RatePreset, most: number): AttemptStore => {
  /** Keys below the limit, least recently used first. */
  const below = new Map<string, Entry>()
  /** Keys at the limit, the one with the oldest latest attempt first. */
  const reached = new Map<string, Entry>()

  const firstReached = (): readonly [string, Entry] | undefined => {
    for (const first of reached) return first
    return undefined
  }

  // One iterator is kept, because a new one would skip all dropped entries first, which takes longer each time.
  let unused = below.keys()
  const dropLongestUnused = (): boolean => {
    let next = unused.next()
    if (next.done === true) {
      unused = below.keys()
      next = unused.next()
    }
    return next.done !== true && below.delete(next.value)
  }

  /** Makes room for one more key, if it can. */
  const hasRoom = (now: number): boolean => {
    if (below.size + reached.size < most) return true
    const [key, entry] = firstReached() ?? []
    const start = now - windowMs
    if (key !== undefined && (entry?.times.at(-1) ?? 0) <= start) return reached.delete(key)
    if (dropLongestUnused()) return true
    return key !== undefined && (entry?.times[0] ?? 0) <= start && reached.delete(key)
  }

  /** Moves a key to the right list after an attempt or a refund. */
  const place = (key: string, entry: Entry, now: number) => {
    const isReached = entry.times.length >= limit
    if (!isReached && Math.abs(now - entry.movedAt) < MOVED_EVERY_MS && below.has(key)) return
    below.delete(key)
    reached.delete(key)
    entry.movedAt = now
    if (isReached) reached.set(key, entry)
    else below.set(key, entry)
  }

  return {
    take: (now, key) => {
      const known = below.get(key) ?? reached.get(key)
      if (known === undefined && !hasRoom(now)) {
        return { allowed: false, remaining: 0, resetAt: (firstReached()?.[1].times[0] ?? now) + windowMs }
      }
      const entry = known ?? { times: [], movedAt: now }
      const verdict = attempt(entry.times, now, limit, windowMs)
      if (verdict.allowed) place(key, entry, now)
      return verdict
    },
    refund: (key) => {
      const entry = below.get(key) ?? reached.get(key)
      if (entry === undefined) return
      entry.times.pop()
      place(key, entry, entry.movedAt)
      if (entry.times.length === 0) below.delete(key)
    },
    purge: (now) => {
      for (const entries of [below, reached]) {
        for (const [key, entry] of entries) {
          dropOutside(entry.times, now, windowMs)
          if (entry.times.length === 0) entries.delete(key)
          else if (entries === reached && entry.times.length < limit) place(key, entry, entry.movedAt)
        }
      }
    },
    size: () => below.size + reached.size
  }
}
