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
