import { createObservable } from "../core/common/Observable.ts"

/** The item a log should bring into view; a new object for every request. */
export const revealed = createObservable<{ readonly key: string } | null>(null)
