/** The half-life of attempts. */
const HALF_LIFE_MS = 30_000
/** Dropping the least recently used key only affects the order, so the exact bound doesn't matter. */
const MAX_PREFIXES = 10_000
const MAX_KNOWN = 32
/** The weight of an attempt for the client, its site and its provider. */
const WEIGHTS = [1, 1 / 4, 1 / 16]

interface Tries {
  readonly count: number
  readonly at: number
}

/** Returns a client address, its site (/24 of IPv4, /48 of IPv6) and its provider (/16, /32). */
const prefixesOf = (from: string): ReadonlyArray<string> => {
  const separator = from.includes(":") ? ":" : "."
  const parts = from.split(separator)
  return parts.length < 4 ? [from] : [from, parts.slice(0, 3).join(separator), parts.slice(0, 2).join(separator)]
}

export interface SignInPressure {
  /** Counts an attempt from an address. */
  readonly note: (from: string, now: number) => void
  /** The weight of recent attempts from an address and its surroundings; the lowest is next. */
  readonly of: (from: string, now: number) => number
  /** Records that the correct password came from an address, which from then on has priority. */
  readonly welcome: (from: string) => void
}

/**
 * Measures the recent attempts of each address. An attacker with many addresses has them in few sites and providers, so
 * their attempts add up, and thousands of new addresses don't look like thousands of people.
 */
export const makeSignInPressure = (): SignInPressure => {
  const tries = new Map<string, Tries>()
  const known = new Set<string>()

  const countOf = (prefix: string, now: number): number => {
    const { count, at } = tries.get(prefix) ?? { count: 0, at: now }
    return count * 2 ** (Math.min(0, at - now) / HALF_LIFE_MS)
  }

  const dropFirst = (names: Map<string, unknown> | Set<string>, most: number) => {
    if (names.size <= most) return
    for (const first of names.keys()) {
      names.delete(first)
      return
    }
  }

  return {
    note: (from, now) => {
      for (const prefix of prefixesOf(from)) {
        const count = countOf(prefix, now) + 1
        tries.delete(prefix)
        tries.set(prefix, { count, at: now })
        dropFirst(tries, MAX_PREFIXES)
      }
    },
    of: (from, now) =>
      known.has(from)
        ? 0
        : prefixesOf(from).reduce((sum, prefix, level) => sum + countOf(prefix, now) * (WEIGHTS[level] ?? 0), 0),
    welcome: (from) => {
      known.delete(from)
      known.add(from)
      dropFirst(known, MAX_KNOWN)
    }
  }
}
