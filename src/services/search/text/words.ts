/** A word of a text, or a run of Chinese, Japanese or Korean characters, which are written without spaces. */
export interface Word {
  /** As it's compared: without case and accents. */
  readonly folded: string
  /** Where it is in the text. */
  readonly start: number
  readonly end: number
  readonly isRun: boolean
}

const WRITTEN = String.raw`\p{L}\p{N}\p{M}\p{Co}`
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}`
const RUN_OR_WORD = new RegExp(`([[${WRITTEN}]&&[${UNSPACED}]]+)|[[${WRITTEN}]--[${UNSPACED}]]+`, "gv")
const ASCII_WORD = /[A-Za-z0-9]+/g
const BEYOND_ASCII = /[^\0-\x7f]/
/** Accents of Latin, Greek and Cyrillic, the points of Hebrew and the vowel signs of Arabic. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]/gu

/** Of longer words, such as encoded files, only the beginning counts. */
const MAX_WORD = 100

/** A text in the one form in which its parts are compared. */
export const normalise = (text: string): string => text.toWellFormed().normalize("NFC")

/** A text without case and accents. */
export const foldText = (text: string): string => {
  const lower = text.toLowerCase()
  if (!BEYOND_ASCII.test(lower)) return lower
  return lower.normalize("NFD").replace(ACCENTS, "").normalize("NFC").replaceAll("ς", "σ")
}

/** A word without case and accents. */
export const fold = (word: string): string => foldText(word.slice(0, MAX_WORD))

/** The words of a normalised text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  const pattern = BEYOND_ASCII.test(text) ? RUN_OR_WORD : ASCII_WORD
  for (const { 0: found, 1: run, index } of text.matchAll(pattern)) {
    const isRun = run !== undefined
    const folded = isRun ? found.toLowerCase() : fold(found)
    if (folded !== "") yield { folded, start: index, end: index + found.length, isRun }
  }
}
