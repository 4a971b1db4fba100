/** How fast tries fade: half of them count after this time. */
const HALF_LIFE_MS = 30_000
/** Forgetting the longest unused only changes an order, so this bound needs no more care. */
const MAX_PREFIXES = 10_000
const MAX_KNOWN = 32
/** What one try weighs for the client itself, for its site and for its provider. */
const WEIGHTS = [1, 1 / 4, 1 / 16]

interface Tries {
  readonly count: number
  readonly at: number
}

/** A counted address, its site (/24 of IPv4, /48 of IPv6) and its provider (/16, /32). */
export const prefixesOf = (from: string): ReadonlyArray<string> => {
  const separator = from.includes(":") ? ":" : "."
  const parts = from.split(separator)
  return parts.length < 4 ? [from] : [from, parts.slice(0, 3).join(separator), parts.slice(0, 2).join(separator)]
}

export interface SignInPressure {
  /** Counts a try from a counted address. */
  readonly note: (from: string, now: number) => void
  /** How much has been tried lately from there and around: who has the least comes first. */
  readonly of: (from: string, now: number) => number
  /** Remembers that the right password came from there, which from then on comes before all others. */
  readonly welcome: (from: string) => void
}

/**
 * Who tries how much. One with many addresses has them of few sites and providers, so their tries weigh on all of
 * them: thousands of fresh addresses don't look like thousands of people.
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
