import type { SearchHit } from "./searchTypes.ts"

/** Texts of a hit that lead to it, at most. */
const MAX_MARKS = 6

/** What a hit's snippet marks, each once and in lower case. */
export const marksOf = (hit: Pick<SearchHit, "snippet">): ReadonlyArray<string> => {
  const marks = hit.snippet.flatMap((part) => (part.hit ? [part.text.trim().toLowerCase()] : []))
  return [...new Set(marks)].filter((mark) => mark !== "").slice(0, MAX_MARKS)
}
