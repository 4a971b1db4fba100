import { createObservable } from "../core/common/Observable.ts"

/** How long the list reorders at once after the user changed it, in milliseconds. */
const WITHIN = 1_000

/** Until when rows may move although the list is in use, in `performance.now()` time. */
export const reorderUntil = createObservable(0)

/** Lets the list show a change of order by the user at once. */
export const allowReorder = (): void => reorderUntil.set(performance.now() + WITHIN)
