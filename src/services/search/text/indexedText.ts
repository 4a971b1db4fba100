import { fold, identifierParts, identifierPieces, type Word, wordsOf } from "./words.ts"

/** A text's columns in the index: tokens separated by spaces. */
export interface IndexedText {
  /** Its words in their order; runs without spaces as pairs of characters. */
  readonly text: string
  /** Other tokens, unordered: pieces of names, single characters of runs, emoji, names with signs. */
  readonly parts: string
  /** The parts of names of several words, name by name, in their order. */
  readonly names: string
}

/**
 * The tokens of a run: every pair of neighbours, so that any two of its characters are found, and at last the last
 * character alone, so that a phrase can go on with what follows the run.
 */
export const runTokens = (run: string): ReadonlyArray<string> => {
  const characters = [...run]
  return characters.map((character, index) => character + (characters[index + 1] ?? ""))
}

const HAS_CAPITAL = /\p{Lu}/u
/** The separators between the words of one name. */
const JOINT = /^[_.:/-]{1,2}$/
const MAX_JOINT = 2
/** Longer ones are lists or paths. */
const MAX_NAME_WORDS = 16
/** Between two names, so that nothing is found across them. */
const APART = " ． "

/** Collects the parts of names: of words that follow each other with nothing but a joint between them. */
const nameCollector = (text: string) => {
  const names = new Set<string>()
  let parts: Array<string> = []
  let words = 0
  let isCamel = false
  let end = -1
  const close = () => {
    // A name without inner capitals is found by its words.
    if (isCamel && words > 1) names.add(parts.join(" "))
    parts = []
    words = 0
    isCamel = false
  }
  return {
    /** `camelParts` is empty for a word that isn't in camel case. */
    add: (word: Word, camelParts: ReadonlyArray<string>) => {
      const gap = word.start - end
      if (words === MAX_NAME_WORDS || gap > MAX_JOINT || !JOINT.test(text.slice(end, word.start))) close()
      if (camelParts.length === 0) parts.push(word.folded)
      else parts.push(...camelParts)
      words += 1
      isCamel ||= camelParts.length > 0
      end = word.end
    },
    finished: () => {
      close()
      return [...names].join(APART)
    }
  }
}

/** The index's columns for a normalised text. */
export const indexedText = (text: string): IndexedText => {
  const tokens: Array<string> = []
  const parts = new Set<string>()
  const mayHaveNames = HAS_CAPITAL.test(text)
  const names = nameCollector(text)
  /** The folded parts of each word so far, because most words occur repeatedly. */
  const known = new Map<string, ReadonlyArray<string>>()
  const partsOf = (written: string): ReadonlyArray<string> => {
    const before = known.get(written)
    if (before !== undefined) return before
    const found = identifierParts(written).map(fold)
    known.set(written, found)
    if (found.length > 0) for (const piece of identifierPieces(written)) parts.add(fold(piece))
    return found
  }
  const add = (word: Word) => {
    const { folded, isEmoji, isRun, signed } = word
    if (isEmoji) {
      parts.add(folded)
      return
    }
    if (isRun) {
      for (const token of runTokens(folded)) tokens.push(token)
      for (const character of folded) parts.add(character)
      return
    }
    tokens.push(folded)
    if (signed !== undefined) parts.add(signed)
    if (!mayHaveNames) return
    names.add(word, partsOf(text.slice(word.start, word.end)))
  }
  for (const word of wordsOf(text)) add(word)
  return { text: tokens.join(" "), parts: [...parts].join(" "), names: mayHaveNames ? names.finished() : "" }
}
