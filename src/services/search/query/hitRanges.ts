import { identifierParts } from "../text/identifierParts.ts"
import { fold, foldText, type Word, wordsOf } from "../text/words.ts"
import type { QueryTerm, QueryWord } from "./parseQuery.ts"
import { type HitRange, isShownWith, LENGTH } from "./snippetSpan.ts"

/** Enough to choose what to show of a text. */
const MAX_RANGES = 64
/** A text is looked through in pieces of at least so many characters; most have nothing of what's wanted. */
const PIECE = 512

const inRun = ({ folded, start }: Word, part: string, term: number): ReadonlyArray<HitRange> => {
  const ranges: Array<HitRange> = []
  for (
    let at = folded.indexOf(part);
    at !== -1 && ranges.length < MAX_RANGES;
    at = folded.indexOf(part, at + part.length)
  ) {
    ranges.push({ start: start + at, end: start + at + part.length, term })
  }
  return ranges
}

const isWord = (text: string, word: Word, wanted: QueryWord, isPrefix: boolean): boolean => {
  const fits = (folded: string) => (isPrefix ? folded.startsWith(wanted.folded) : folded === wanted.folded)
  return (
    !word.isRun &&
    word.folded.includes(wanted.folded) &&
    (fits(word.folded) || identifierParts(text.slice(word.start, word.end)).some((part) => fits(fold(part))))
  )
}

const isNext = (word: Word, wanted: QueryWord, isFirst: boolean, isLast: boolean, isPrefix: boolean): boolean => {
  if (word.isRun !== wanted.isRun) return false
  if (word.folded === wanted.folded) return true
  if (isFirst) return word.isRun && word.folded.endsWith(wanted.folded)
  return isLast && (word.isRun || isPrefix) && word.folded.startsWith(wanted.folded)
}

/** Words one after the other, the last one of the text being `at`. */
const phrase = (before: ReadonlyArray<Word>, { words, isPrefix }: QueryTerm, term: number): ReadonlyArray<HitRange> => {
  const found = before.slice(-words.length)
  const last = words.length - 1
  if (found.length < words.length) return []
  const fits = words.every((wanted, index) => {
    const word = found[index]
    return word !== undefined && isNext(word, wanted, index === 0, index === last, isPrefix)
  })
  const [first] = found
  const end = found.at(-1)
  if (!fits || first === undefined || end === undefined) return []
  const start = first.isRun ? first.end - (words[0]?.folded.length ?? 0) : first.start
  return [{ start, end: end.isRun ? end.start + (words[last]?.folded.length ?? 0) : end.end, term }]
}

/** A piece of a text, which ends between words. */
interface Piece {
  readonly text: string
  readonly start: number
}

function* piecesOf(text: string): Generator<Piece> {
  const space = /\s/g
  for (let start = 0; start < text.length; ) {
    space.lastIndex = start + PIECE
    const end = space.exec(text)?.index ?? text.length
    yield { text: text.slice(start, end), start }
    start = end
  }
}

/** Words of a piece, at their places in the whole text. */
function* wordsIn({ start, text }: Piece): Generator<Word> {
  for (const word of wordsOf(text)) yield { ...word, start: word.start + start, end: word.end + start }
}

/** Where the best snippet begins, once no better one can follow: one that shows all terms. */
const wholeAt = (ranges: ReadonlyArray<HitRange>, terms: number): number | undefined => {
  const hasAll = (some: ReadonlyArray<HitRange>) => new Set(some.map(({ term }) => term)).size === terms
  if (!hasAll(ranges)) return undefined
  return ranges.find((first) =>
    hasAll(ranges.filter((other) => other.start >= first.start && isShownWith(other, first)))
  )?.start
}

/** Where the terms that must occur stand in a normalised text, from its beginning, as far as its snippet needs. */
export const hitRanges = (text: string, terms: ReadonlyArray<QueryTerm>): ReadonlyArray<HitRange> => {
  const wanted = terms.filter(({ isWithout }) => !isWithout)
  const longest = Math.max(0, ...wanted.map(({ words }) => words.length))
  const firstWords = wanted.map(({ words }) => foldText(words[0]?.folded ?? ""))
  const ranges: Array<HitRange> = []
  /** The last words, as many as the longest term has. */
  const before: Array<Word> = []
  /** Words that may still belong to a phrase which began in an earlier piece. */
  let owed = 0
  let stopAt = Number.POSITIVE_INFINITY

  const meet = (word: Word) => {
    before.push(word)
    if (before.length > longest) before.shift()
    for (const [index, term] of wanted.entries()) {
      const [only] = term.words
      if (only === undefined) continue
      if (term.words.length > 1) ranges.push(...phrase(before, term, index))
      else if (only.isRun) ranges.push(...(word.isRun ? inRun(word, only.folded, index) : []))
      else if (isWord(text, word, only, term.isPrefix)) ranges.push({ start: word.start, end: word.end, term: index })
    }
  }

  for (const piece of piecesOf(text)) {
    const folded = foldText(piece.text)
    const mayBegin = firstWords.some((first) => folded.includes(first))
    if (!mayBegin && owed <= 0) {
      before.length = 0
      continue
    }
    let words = 0
    for (const word of wordsIn(piece)) {
      if (word.start > stopAt) return ranges
      const count = ranges.length
      meet(word)
      words += 1
      if (ranges.length >= MAX_RANGES) return ranges
      if (ranges.length > count) stopAt = (wholeAt(ranges, wanted.length) ?? Number.POSITIVE_INFINITY) + LENGTH
    }
    owed = mayBegin ? longest - 1 : owed - words
  }
  return ranges
}
