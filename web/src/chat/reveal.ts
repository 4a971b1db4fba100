import { createObservable } from "../core/common/Observable.ts"

/** An item that a log should bring into view. */
export interface Reveal {
  readonly key: string
  /** Pixels from the top of the log to the item's; without it the item comes to the middle. */
  readonly offset?: number
  /** Messages below that are new to the reader. */
  readonly missed?: number
}

/** The latest request; a new object for every one. */
export const revealed = createObservable<Reveal | null>(null)

/** The item before which everything is known to the reader; null if nothing is new. */
export const newFrom = createObservable<string | null>(null)
