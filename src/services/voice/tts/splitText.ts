/** Whether a piece of text is short enough for a provider. */
export type Fits = (piece: string) => boolean

/** Grapheme clusters, so that no visible character is split. */
const characters = (text: string): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), ({ segment }) => segment)

const segments = (text: string, language: string, granularity: "sentence" | "word"): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter(language, { granularity }).segment(text), ({ segment }) => segment)

/** Joins as many parts as fit; a part that's too long is split by the next, finer rule. */
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
 * A text in pieces that fit, split between sentences; a sentence that's too long is split between words, and a word
 * between characters. Joined, the pieces give the text again.
 */
export const splitText = (text: string, language: string, fits: Fits): ReadonlyArray<string> => {
  if (fits(text)) return [text]
  const byCharacter = (word: string) => pack(characters(word), fits, (character) => [character])
  const byWord = (sentence: string) => pack(segments(sentence, language, "word"), fits, byCharacter)
  return pack(segments(text, language, "sentence"), fits, byWord)
}
