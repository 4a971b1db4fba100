import { createHash } from "node:crypto"

/** A state of a channel by its names. */
interface Named {
  readonly e: string
  readonly s: number
}

/** Channels whose last state is remembered after they were closed. */
const MAX_KEPT = 1_000

const digest = (state: object): string => createHash("sha1").update(JSON.stringify(state)).digest("base64")

/**
 * What clients had when their channels were closed, as digests: who comes back and finds the same needn't get it again.
 */
export interface RecentStates {
  readonly remember: (named: Named, state: object) => void
  /** Whether the state that a client has is what there is now. */
  readonly isStill: (named: Named, state: object) => boolean
}

export const makeRecentStates = (): RecentStates => {
  const kept = new Map<string, { readonly s: number; readonly digest: string }>()
  return {
    remember: ({ e, s }, state) => {
      kept.delete(e)
      kept.set(e, { s, digest: digest(state) })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    },
    isStill: ({ e, s }, state) => {
      const last = kept.get(e)
      if (last?.s !== s || last.digest !== digest(state)) return false
      // Two channels with the same name would number their states apart.
      kept.delete(e)
      return true
    }
  }
}
