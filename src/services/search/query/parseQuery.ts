import { normalise, wordsOf } from "../text/words.ts"

/** A word of a query. */
export interface QueryWord {
  readonly folded: string
  readonly isRun: boolean
}

/** Something that must occur, or must not: words that follow each other. */
export interface QueryTerm {
  readonly words: ReadonlyArray<QueryWord>
  /** The last word may go on. */
  readonly isPrefix: boolean
  readonly isWithout: boolean
}

/** More of a query isn't read: people paste whole logs. */
const MAX_LENGTH = 10_000
const MAX_TERMS = 64
const MAX_WORDS = 256

const QUOTES = /[\u201c\u201d\u201e\u201f]/g
const PART = /-?"[^"]*"?|[^\s"]+/g
const WITHOUT = /^-(?=[^-])/
const ENDS_OPEN = /[\p{L}\p{N}\p{M}]\*$/u
/** A word with more beginnings than anybody could look through. */
const SHORTEST_PREFIX = 2

/** The terms of a query; any text has some or none. */
export const parseQuery = (query: string): ReadonlyArray<QueryTerm> => {
  const text = normalise(query.slice(0, MAX_LENGTH)).replaceAll(QUOTES, '"')
  const terms: Array<QueryTerm> = []
  let left = MAX_WORDS
  for (const [part] of text.matchAll(PART)) {
    const isWithout = WITHOUT.test(part)
    const words = Array.from(wordsOf(part), ({ folded, isRun }) => ({ folded, isRun })).slice(0, left)
    const last = words.at(-1)
    if (last === undefined) continue
    const isPrefix = ENDS_OPEN.test(part) && !last.isRun && last.folded.length >= SHORTEST_PREFIX
    terms.push({ words, isPrefix, isWithout })
    left -= words.length
    if (left === 0 || terms.length === MAX_TERMS) break
  }
  return terms
}
