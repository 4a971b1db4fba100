/** A word of a text, a run of characters that are written without spaces between words, or an emoji. */
export interface Word {
  /** As it's compared: without case, accents and other ways of writing the same letter. */
  readonly folded: string
  /** Where it is in the text. */
  readonly start: number
  readonly end: number
  /** Of Chinese, Japanese, Korean, Thai, Lao, Khmer or Burmese. */
  readonly isRun: boolean
  /** An emoji, which stands beside the words. */
  readonly isEmoji?: true
  /** With the signs that make it another name, such as `C++`, `F#` and `.NET`; in a form that no word has. */
  readonly signed?: string
}

const WRITTEN = String.raw`\p{L}\p{N}\p{M}\p{Co}`
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`
const EMOJI = String.raw`\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?`
const RUN_OR_WORD = `([[${WRITTEN}]&&[${UNSPACED}]]+)|[[${WRITTEN}]--[${UNSPACED}]]+`
const WORD = new RegExp(RUN_OR_WORD, "gv")
const WORD_OR_EMOJI = new RegExp(`${RUN_OR_WORD}|(${EMOJI})`, "gv")
const MAY_HAVE_EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const ASCII_WORD = /[A-Za-z0-9]+/g
const BEYOND_ASCII = /[^\0-\x7f]/
/** Accents of Latin, Greek and Cyrillic, the points of Hebrew and the vowel signs of Arabic. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]/gu
/** What some letters become beside letters, such as the spaces of a phrase that is one character. */
const UNWRITTEN = new RegExp(`[^${WRITTEN}]`, "gu")
const HALF_WIDTH_KANA = /[\uff65-\uff9f]/
/** A vowel of Thai and one of Lao that may be written as one character or two. */
const TWO_PART_AM = /[\u0e4d\u0ecd][\u0e32\u0eb2]/g
const PLAIN_TEXT_STYLE = /\ufe0f/g

/** Of longer words, such as encoded files, only the beginning counts. */
const MAX_WORD = 100

/** A text in the one form in which its parts are compared. */
export const normalise = (text: string): string => text.toWellFormed().normalize("NFC")

/** A text without case, accents, and other ways of writing the same letters: full width, ligatures, `ß`. */
export const foldText = (text: string): string => {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .replaceAll("ς", "σ")
    .replaceAll("ß", "ss")
}

/** A word without them, too. */
export const fold = (word: string): string => {
  const folded = foldText(word.slice(0, MAX_WORD))
  return BEYOND_ASCII.test(folded) ? folded.replace(UNWRITTEN, "") : folded
}

const foldRun = (run: string): string =>
  (HALF_WIDTH_KANA.test(run) ? run.normalize("NFKC") : run)
    .toLowerCase()
    .replace(TWO_PART_AM, ([, vowel]) => (vowel === "\u0e32" ? "\u0e33" : "\u0eb3"))

/** Signs in a form that stands in no word. */
const PLUS_PLUS = "＋＋"
const SHARP = "＃"
export const DOT = "．"

const signAfter = (text: string, end: number): string => {
  if (!"+#＋＃♯".includes(text[end] ?? " ")) return ""
  const isPlus = (at: number) => text[at] === "+" || text[at] === "＋"
  if (isPlus(end) && isPlus(end + 1) && !isPlus(end + 2)) return PLUS_PLUS
  const isSharp = text[end] === "#" || text[end] === "＃" || text[end] === "♯"
  return isSharp && !/^[\p{L}\p{N}#\uff03]/u.test(text.slice(end + 1, end + 3)) ? SHARP : ""
}

const hasDotBefore = (text: string, start: number): boolean =>
  (text[start - 1] === "." || text[start - 1] === DOT) && text[start - 2] !== "."

const wordAt = (text: string, start: number, end: number): Word => {
  const folded = fold(text.slice(start, end))
  const after = signAfter(text, end)
  // `C++` and `C#` are no C, but what is counted up or anchored keeps its name: `count++`, `page.html#`.
  if (after !== "" && folded.length === 1) return { folded: folded + after, start, end, isRun: false }
  if (after !== "") return { folded, start, end, isRun: false, signed: folded + after }
  if (hasDotBefore(text, start)) return { folded, start, end, isRun: false, signed: DOT + folded }
  return { folded, start, end, isRun: false }
}

/** The words of a normalised text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  const pattern = BEYOND_ASCII.test(text) ? (MAY_HAVE_EMOJI.test(text) ? WORD_OR_EMOJI : WORD) : ASCII_WORD
  for (const { 0: found, 1: run, 2: emoji, index: start } of text.matchAll(pattern)) {
    const end = start + found.length
    if (emoji !== undefined) {
      yield { folded: emoji.replace(PLAIN_TEXT_STYLE, ""), start, end, isRun: false, isEmoji: true }
    } else if (run !== undefined) {
      yield { folded: foldRun(found), start, end, isRun: true }
    } else {
      const word = wordAt(text, start, end)
      if (word.folded !== "") yield word
    }
  }
}
