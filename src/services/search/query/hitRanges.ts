import { DOT, fold, foldText, identifierParts, identifierPieces, type Word, wordsOf } from "../text/words.ts"
import { type HitRange, isShownWith, LENGTH } from "./cutSnippet.ts"
import type { QueryTerm, QueryWord } from "./parseQuery.ts"

/** Enough to choose a snippet. */
const MAX_RANGES = 64
/** A text is searched in pieces of at least so many characters; most contain no term. */
const PIECE = 512

const inRun = ({ folded, start, end }: Word, part: string, term: number): ReadonlyArray<HitRange> => {
  // If folding changed its length, it can only be marked as a whole.
  if (folded.length !== end - start) return folded.includes(part) ? [{ start, end, term }] : []
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
    (fits(word.folded) || identifierPieces(text.slice(word.start, word.end)).some((piece) => fits(fold(piece))))
  )
}

/** The range of a word with its sign. */
const signedRange = ({ start, end, isEmoji, signed, folded }: Word, term: number): HitRange => {
  if (isEmoji) return { start, end, term }
  return signed?.startsWith(DOT)
    ? { start: start - 1, end, term }
    : { start, end: end + ((signed?.length ?? 0) - folded.length), term }
}

const isSigned = (word: Word, { signs, isPrefix }: QueryTerm): boolean => {
  const written = word.isEmoji ? word.folded : word.signed
  return written !== undefined && signs.some(({ token }) => (isPrefix ? written.startsWith(token) : written === token))
}

/** Whether a word begins or ends with a piece of a name. */
const hasPieceAt = (text: string, word: Word, wanted: QueryWord, end: "first" | "last", isPrefix: boolean): boolean => {
  if (word.isRun || !word.folded.includes(wanted.folded)) return false
  const parts = identifierParts(text.slice(word.start, word.end)).map(fold)
  return parts.some((_, index) => {
    const piece = (end === "first" ? parts.slice(index) : parts.slice(0, index + 1)).join("")
    return isPrefix ? piece.startsWith(wanted.folded) : piece === wanted.folded
  })
}

const isNext = (
  text: string,
  word: Word,
  wanted: QueryWord,
  { isFirst, isLast, isName, isPrefix }: Readonly<Record<"isFirst" | "isLast" | "isName" | "isPrefix", boolean>>
): boolean => {
  if (word.isRun !== wanted.isRun) return false
  if (word.folded === wanted.folded) return true
  if (isFirst) {
    return word.isRun ? word.folded.endsWith(wanted.folded) : isName && hasPieceAt(text, word, wanted, "first", false)
  }
  if (!isLast) return false
  if (word.isRun || isPrefix) return word.folded.startsWith(wanted.folded)
  return isName && hasPieceAt(text, word, wanted, "last", isPrefix)
}

/** The range of a phrase that ends with the last of the words `before`. */
const phrase = (text: string, before: ReadonlyArray<Word>, query: QueryTerm, term: number): ReadonlyArray<HitRange> => {
  const { words, isPrefix, name } = query
  const found = before.slice(-words.length)
  const last = words.length - 1
  if (found.length < words.length) return []
  const fits = words.every((wanted, index) => {
    const word = found[index]
    const place = { isFirst: index === 0, isLast: index === last, isName: name !== undefined, isPrefix }
    return word !== undefined && isNext(text, word, wanted, place)
  })
  const [first] = found
  const end = found.at(-1)
  if (!fits || first === undefined || end === undefined) return []
  const isExact = ({ folded, ...at }: Word) => folded.length === at.end - at.start
  const start = first.isRun && isExact(first) ? first.end - (words[0]?.folded.length ?? 0) : first.start
  return [{ start, end: end.isRun && isExact(end) ? end.start + (words[last]?.folded.length ?? 0) : end.end, term }]
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

/** Words of a piece, with their positions in the whole text. */
function* wordsIn({ start, text }: Piece): Generator<Word> {
  for (const word of wordsOf(text)) yield { ...word, start: word.start + start, end: word.end + start }
}

/** The start of a snippet with all terms, after which no better one can follow. */
const wholeAt = (ranges: ReadonlyArray<HitRange>, terms: number): number | undefined => {
  const hasAll = (some: ReadonlyArray<HitRange>) => new Set(some.map(({ term }) => term)).size === terms
  if (!hasAll(ranges)) return undefined
  return ranges.find((first) =>
    hasAll(ranges.filter((other) => other.start >= first.start && isShownWith(other, first)))
  )?.start
}

/** The positions of the required terms in a normalised text, from its beginning, as far as its snippet needs. */
export const hitRanges = (text: string, terms: ReadonlyArray<QueryTerm>): ReadonlyArray<HitRange> => {
  const wanted = terms.filter(({ isWithout }) => !isWithout)
  const longest = Math.max(0, ...wanted.map(({ words }) => words.length))
  const firstWords = wanted.map(({ name, signs, words }) =>
    foldText(name?.[0] ?? words[0]?.folded ?? signs[0]?.written ?? "")
  )
  const ranges: Array<HitRange> = []
  /** The last words, as many as the longest term has. */
  const before: Array<Word> = []
  /** Words that may still belong to a phrase which began in an earlier piece. */
  let owed = 0
  let stopAt = Number.POSITIVE_INFINITY

  const meet = (word: Word) => {
    if (!word.isEmoji) before.push(word)
    if (before.length > longest) before.shift()
    for (const [index, term] of wanted.entries()) {
      const [only] = term.words
      if (only === undefined) {
        if (isSigned(word, term)) ranges.push(signedRange(word, index))
        continue
      }
      if (word.isEmoji) continue
      if (term.words.length > 1) ranges.push(...phrase(text, before, term, index))
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
