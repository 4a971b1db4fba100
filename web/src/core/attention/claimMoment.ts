import { numberOf, parseJson, recordsOf } from "../decode.ts"
import type { KeyValueStorage } from "../Environment.ts"

/** The part of the browser's lock manager this needs. */
export interface Locks {
  readonly request: (name: string, run: () => Promise<unknown>) => Promise<unknown>
  readonly query: () => Promise<{ readonly held?: ReadonlyArray<{ readonly name?: string }> }>
}

/** The lock behind which tabs claim, and the key under which they store claims where they may not lock. */
const MOMENTS = "agent-console:moments"
const PREFIX = "agent-console:moment:"

/** Milliseconds within which tabs hear of one moment; the same thing later is another moment. */
const SAME_MS = 5_000
/** Milliseconds a claim is kept: the timers of a hidden tab may run a minute late. */
const KEEP_MS = 120_000

/**
 * Whether this tab is the first of the browser to claim a moment: what happened, and when this tab heard of it (epoch
 * milliseconds). A claim is a lock that is held for two minutes and has the moment in its name, so that nothing has to
 * reach the other tabs in time.
 */
export const claimMoment = async (locks: Locks, what: string, at: number): Promise<boolean> => {
  const claim = async (): Promise<boolean> => {
    const { held = [] } = await locks.query()
    const isTaken = held.some(({ name = "" }) => {
      const split = name.lastIndexOf("@")
      const isSameThing = name.slice(0, split) === `${PREFIX}${what}`
      return isSameThing && Math.abs(Number(name.slice(split + 1)) - at) < SAME_MS
    })
    if (isTaken) return false
    await new Promise<void>((resolve, reject) => {
      locks
        .request(`${PREFIX}${what}@${at}`, () => {
          resolve()
          return new Promise((end) => setTimeout(end, KEEP_MS))
        })
        .catch(reject)
    })
    return true
  }
  return (await locks.request(MOMENTS, claim)) === true
}

const storedClaims = (storage: KeyValueStorage) =>
  recordsOf(parseJson(storage.getItem(MOMENTS) ?? "")).map(({ what, at }) => ({ what, at: numberOf(at) ?? 0 }))

/**
 * The same by what all tabs store, for pages that may not use locks (plain HTTP). Two tabs that ask within the same few
 * milliseconds may both be first.
 */
export const claimStoredMoment = (storage: KeyValueStorage, what: string, at: number): boolean => {
  const claims = storedClaims(storage).filter((claim) => Math.abs(claim.at - at) < KEEP_MS)
  if (claims.some((claim) => claim.what === what && Math.abs(claim.at - at) < SAME_MS)) return false
  storage.setItem(MOMENTS, JSON.stringify([...claims, { what, at }]))
  return true
}
