import { DOT, fold, identifierParts, normalise, type Word, wordsOf } from "../text/words.ts"

/** A word of a query. */
export interface QueryWord {
  readonly folded: string
  readonly isRun: boolean
}

/** Something that must occur besides the words, wherever: an emoji, or a name with its signs. */
export interface QuerySign {
  readonly token: string
  /** What a text has where the sign is. */
  readonly written: string
}

/** Something that must occur, or must not: words that follow each other, and signs. */
export interface QueryTerm {
  readonly words: ReadonlyArray<QueryWord>
  readonly signs: ReadonlyArray<QuerySign>
  /** The parts of a name, if it's one that texts may have a longer form of. */
  readonly name: ReadonlyArray<string> | undefined
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
const INSIDE_A_NAME = /[\p{L}\p{N}\p{M}]/u
/** A word with more beginnings than anybody could look through. */
const SHORTEST_PREFIX = 2

const signOf = (word: Word, part: string): QuerySign | undefined => {
  if (word.isEmoji) return { token: word.folded, written: String.fromCodePoint(word.folded.codePointAt(0) ?? 0) }
  if (word.signed === undefined) return undefined
  // The dot within `main.ts` is only a joint.
  const isJoint = word.signed.startsWith(DOT) && INSIDE_A_NAME.test(part[word.start - 2] ?? "")
  return isJoint ? undefined : { token: word.signed, written: word.folded }
}

/** The parts of a name in camel case, or of several words joined by underscores. */
const nameIn = (part: string, words: ReadonlyArray<Word>): ReadonlyArray<string> | undefined => {
  if (words.some(({ isRun }) => isRun) || /\s/.test(part)) return undefined
  const parts = words.map(({ start, end }) => identifierParts(part.slice(start, end)))
  const isName =
    parts.some(({ length }) => length > 0) ||
    words.some(({ start }, index) => index > 0 && part.slice(words[index - 1]?.end, start) === "_")
  if (!isName) return undefined
  return words.flatMap(({ folded }, index) => {
    const own = parts[index] ?? []
    return own.length === 0 ? [folded] : own.map(fold)
  })
}

const termOf = (part: string, found: ReadonlyArray<Word>): QueryTerm => {
  const signs = found.flatMap((word) => signOf(word, part) ?? [])
  const spoken = found.filter(({ isEmoji }) => !isEmoji)
  // A single name with a sign is looked for as such.
  const [only] = spoken
  const isSigned = spoken.length === 1 && only !== undefined && signOf(only, part) !== undefined
  const words = isSigned ? [] : spoken
  const last = isSigned ? only : words.at(-1)
  return {
    words: words.map(({ folded, isRun }) => ({ folded, isRun })),
    signs,
    name: isSigned ? undefined : nameIn(part, words),
    isPrefix: ENDS_OPEN.test(part) && last !== undefined && !last.isRun && last.folded.length >= SHORTEST_PREFIX,
    isWithout: WITHOUT.test(part)
  }
}

/** The terms of a query; any text has some or none. */
export const parseQuery = (query: string): ReadonlyArray<QueryTerm> => {
  const text = normalise(query.slice(0, MAX_LENGTH)).replaceAll(QUOTES, '"')
  const terms: Array<QueryTerm> = []
  let left = MAX_WORDS
  for (const [part] of text.matchAll(PART)) {
    const found = Array.from(wordsOf(part)).slice(0, left)
    if (found.length === 0) continue
    terms.push(termOf(part, found))
    left -= found.length
    if (left === 0 || terms.length === MAX_TERMS) break
  }
  return terms
}
