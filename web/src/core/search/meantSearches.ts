import type { NearestWords } from "../../../../src/contract/schema/search.ts"

/** Searches that are offered. */
const MOST = 4

const collator = new Intl.Collator(undefined, { sensitivity: "base" })

/** A search with another word in place of one, however that was written. */
const withWord = (text: string, word: string, instead: string): string =>
  text.replace(/[\p{L}\p{M}]+\*?/gu, (written) =>
    collator.compare(written.replace("*", ""), word) === 0 ? instead : written
  )

/** What may have been meant by a search that found nothing: it with the nearest words, the nearest first. */
export const meantSearches = (text: string, nearest: ReadonlyArray<NearestWords>): ReadonlyArray<string> => {
  const [first, ...others] = nearest
  if (first === undefined) return []
  // Of further words, the nearest one each: all mixtures would be too many.
  const rest = others.reduce((meant, { instead: [best = ""], word }) => withWord(meant, word, best), text)
  return [...new Set(first.instead.map((instead) => withWord(rest, first.word, instead)))]
    .filter((meant) => meant !== text)
    .slice(0, MOST)
}
