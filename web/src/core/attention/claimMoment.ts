import { numberOf, parseJson, recordsOf } from "../../../../src/contract/looseFields.ts"
import { ownName } from "../common/basePath.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** The part of the browser's lock manager needed here. */
export interface Locks {
  readonly request: (name: string, run: () => Promise<unknown>) => Promise<unknown>
  readonly query: () => Promise<{ readonly held?: ReadonlyArray<{ readonly name?: string }> }>
}

/** The lock tabs use to claim, and the key under which they store claims if they can't use locks. */
const MOMENTS = ownName("agent-console:moments")
const PREFIX = ownName("agent-console:moment:")

/** Milliseconds within which tabs notice the same moment; the same thing later is another moment. */
const SAME_MS = 5_000
/** Milliseconds a claim is kept: timers in a hidden tab may run a minute late. */
const KEEP_MS = 120_000

/**
 * Whether this tab is the browser's first to claim a moment: what happened, and when this tab noticed (epoch
 * milliseconds). A claim is a lock held for two minutes with the moment in its name, so nothing has to reach the
 * other tabs in time.
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
  recordsOf(parseJson(storage.getItem(MOMENTS) ?? "")).map(({ what, at, by }) => ({ what, at: numberOf(at) ?? 0, by }))

/**
 * The same using shared storage, for pages that may not use locks (plain HTTP). What one tab stores reaches the others
 * after a while, so a tab names itself in its claim and looks again once `settled`: of several that claimed the same
 * moment, the last is the one all of them read.
 */
export const claimStoredMoment = async (
  storage: KeyValueStorage,
  claim: { readonly what: string; readonly at: number; readonly by: string },
  settled: () => Promise<void>
): Promise<boolean> => {
  const { what, at, by } = claim
  const holder = () =>
    storedClaims(storage).find((other) => other.what === what && Math.abs(other.at - at) < SAME_MS)?.by
  if (holder() !== undefined) return false
  const claims = storedClaims(storage).filter((other) => Math.abs(other.at - at) < KEEP_MS)
  storage.setItem(MOMENTS, JSON.stringify([...claims, { what, at, by }]))
  await settled()
  // A claim of something else may have taken the place of this one: better two sounds than none.
  return (holder() ?? by) === by
}
