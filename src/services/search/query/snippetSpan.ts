/** Where a term of a query stands in a text. */
export interface HitRange {
  readonly start: number
  readonly end: number
  /** Which one. */
  readonly term: number
}

/** Characters shown of a text, and how many of them before the first hit. */
export const LENGTH = 240
export const LEAD = 60

/** Whether a range ends within what's shown if the snippet begins with another one. */
export const isShownWith = ({ end }: HitRange, first: HitRange): boolean => end <= first.start + LENGTH - LEAD
