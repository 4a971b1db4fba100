import { createObservable } from "../core/common/Observable.ts"

/** How long the list follows what a person did there themselves, in milliseconds. */
const WITHIN = 1_000

/** Until when rows may move although somebody is at the list, in the page's own time. */
export const movesUntil = createObservable(0)

/** A person changes the order of the list: it shows that at once. */
export const ownMove = (): void => movesUntil.set(performance.now() + WITHIN)
