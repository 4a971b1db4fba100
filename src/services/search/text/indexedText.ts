import { identifierParts } from "./identifierParts.ts"
import { fold, type Word, wordsOf } from "./words.ts"

/** What the index keeps of a text: tokens separated by spaces. */
export interface IndexedText {
  /** Its words in their order; runs without spaces as pairs of characters. */
  readonly text: string
  /** What else it's found by, in no order: parts of names, and the single characters of runs. */
  readonly parts: string
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

/** A normalised text as the index keeps it. */
export const indexedText = (text: string): IndexedText => {
  const tokens: Array<string> = []
  const parts = new Set<string>()
  const mayHaveNames = HAS_CAPITAL.test(text)
  const add = ({ folded, start, end, isRun }: Word) => {
    if (isRun) {
      for (const token of runTokens(folded)) tokens.push(token)
      for (const character of folded) parts.add(character)
      return
    }
    tokens.push(folded)
    if (!mayHaveNames) return
    for (const part of identifierParts(text.slice(start, end))) parts.add(fold(part))
  }
  for (const word of wordsOf(text)) add(word)
  return { text: tokens.join(" "), parts: [...parts].join(" ") }
}
