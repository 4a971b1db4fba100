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

/** Of names with more parts, only pieces of so many parts are looked for. */
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
