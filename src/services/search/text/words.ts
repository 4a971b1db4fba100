/** A word of a text, a run of characters that are written without spaces between words, or an emoji. */
export interface Word {
  /** As it's compared: without case, accents and other ways of writing the same letter. */
  readonly folded: string
  /** Where it is in the text. */
  readonly start: number
  readonly end: number
  /** Of Chinese, Japanese, Korean, Thai, Lao, Khmer or Burmese. */
  readonly isRun: boolean
  /** Whether it's an emoji, which isn't part of a phrase. */
  readonly isEmoji?: true
  /** With the signs of names such as `C++`, `F#` and `.NET`, in a form that no word has. */
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
/** Characters other than letters that folding produces, such as the spaces of a phrase that is one character. */
const UNWRITTEN = new RegExp(`[^${WRITTEN}]`, "gu")
const HALF_WIDTH_KANA = /[\uff65-\uff9f]/
/** A vowel of Thai and one of Lao that may be written as one character or two. */
const TWO_PART_AM = /[\u0e4d\u0ecd][\u0e32\u0eb2]/g
const PLAIN_TEXT_STYLE = /\ufe0f/g

/** Longer words, such as encoded files, are truncated. */
const MAX_WORD = 100

/** The normal form in which texts are compared. */
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

/** Signs in a form that no word contains. */
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
  // `C++` and `C#` aren't C, but an incremented or anchored name stays the same: `count++`, `page.html#`.
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

const CHANGES_CASE = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u
const PART = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|[^\p{Lu}\p{Ll}]+/gu
/** Longer ones are encoded bytes, not names. */
const LONGEST_NAME = 80

/** The parts of a name in camel case, as written; none for other words. Underscores and slashes separate words anyway. */
export const identifierParts = (word: string): ReadonlyArray<string> => {
  if (word.length > LONGEST_NAME || !CHANGES_CASE.test(word)) return []
  const parts = word.match(PART) ?? []
  return parts.length > 1 ? parts : []
}

/** Names with more than `MANY` parts only get pieces of up to `FEW` parts. */
const MANY = 8
const FEW = 3

/** The pieces of a name in camel case, each of its parts and of their neighbours together; as written. */
export const identifierPieces = (word: string): ReadonlyArray<string> => {
  const parts = identifierParts(word)
  const longest = parts.length > MANY ? FEW : parts.length - 1
  return parts.flatMap((_, from) =>
    Array.from({ length: Math.max(0, Math.min(longest, parts.length - from)) }, (_, more) =>
      parts.slice(from, from + more + 1).join("")
    )
  )
}
