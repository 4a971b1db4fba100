/** Whether a piece of text is short enough for a provider. */
export type Fits = (piece: string) => boolean

/** Whole characters as people see them, so that none is cut in two. */
const characters = (text: string): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), ({ segment }) => segment)

const segments = (text: string, language: string, granularity: "sentence" | "word"): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter(language, { granularity }).segment(text), ({ segment }) => segment)

/** Puts as many parts together as fit; a part that does not fit alone is cut by the next, finer rule. */
const pack = (
  parts: ReadonlyArray<string>,
  fits: Fits,
  cutFiner: (part: string) => ReadonlyArray<string>
): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let current = ""
  for (const part of parts.flatMap((whole) => (fits(whole) ? [whole] : cutFiner(whole)))) {
    if (current !== "" && !fits(current + part)) {
      pieces.push(current)
      current = ""
    }
    current += part
  }
  return current === "" ? pieces : [...pieces, current]
}

/**
 * A text in pieces that fit, cut at sentence ends; a sentence that is too long alone is cut between words, and a word
 * between characters. Put together the pieces are the text again.
 */
export const splitText = (text: string, language: string, fits: Fits): ReadonlyArray<string> => {
  if (fits(text)) return [text]
  const byCharacter = (word: string) => pack(characters(word), fits, (character) => [character])
  const byWord = (sentence: string) => pack(segments(sentence, language, "word"), fits, byCharacter)
  return pack(segments(text, language, "sentence"), fits, byWord)
}
