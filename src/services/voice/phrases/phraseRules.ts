import { Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import type { PhraseSet } from "../../../contract/schema/voice.ts"

const MAX_PHRASES = 100
const MAX_LENGTH = 200

const Phrase = Schema.Trim.check(Schema.isMinLength(1), Schema.isMaxLength(MAX_LENGTH))
const Phrases = Schema.Array(Phrase).check(Schema.isMaxLength(MAX_PHRASES))

/** Custom phrases for one language; omitted arrays keep their defaults. At most 100 phrases of 200 characters each. */
export const PhraseChange = Schema.Struct({
  stopPhrases: Schema.optionalKey(Phrases),
  cancelPhrases: Schema.optionalKey(Phrases),
  wakePhrases: Schema.optionalKey(Phrases)
})
export type PhraseChange = typeof PhraseChange.Type

/** Any ISO 639-1 code; other forms are rejected, so that no path can be an unexpected key. */
export const PhraseLanguage = Schema.String.check(Schema.isPattern(/^[a-z]{2}$/)).annotate(
  failure("MUST_BE_A_LANGUAGE_CODE")
)

/** The custom phrases file, by language code. */
export const PhraseFile = Schema.Record(PhraseLanguage, PhraseChange)
export type PhraseFile = typeof PhraseFile.Type

export const NO_PHRASES: PhraseSet = { stopPhrases: [], cancelPhrases: [], wakePhrases: [] }

const sameWords = (phrase: string): string => phrase.normalize("NFKC").toLowerCase()

const union = (first: ReadonlyArray<string>, second: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return [...first, ...second].filter((phrase) => {
    const key = sameWords(phrase)
    return seen.has(key) ? false : seen.add(key)
  })
}

/** A language's phrases followed by the English ones, without duplicates. */
export const withEnglish = (phrases: PhraseSet, english: PhraseSet): PhraseSet => ({
  stopPhrases: union(phrases.stopPhrases, english.stopPhrases),
  cancelPhrases: union(phrases.cancelPhrases, english.cancelPhrases),
  wakePhrases: union(phrases.wakePhrases, english.wakePhrases)
})
