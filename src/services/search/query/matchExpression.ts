import { runTokens } from "../text/indexedText.ts"
import type { QueryTerm, QueryWord } from "./parseQuery.ts"

/** Tags that an entry must have: one of each list. */
export type TagChoices = ReadonlyArray<ReadonlyArray<string>>

const quoted = (tokens: ReadonlyArray<string>) => `"${tokens.join(" ")}"`

const isSingle = (word: QueryWord) => word.isRun && [...word.folded].length === 1

/** Pairs, and the last character if a word follows; a text may continue after the query's last word. */
const tokensOf = (word: QueryWord, isLast: boolean): ReadonlyArray<string> => {
  if (!word.isRun) return [word.folded]
  const tokens = runTokens(word.folded)
  return isLast && tokens.length > 1 ? tokens.slice(0, -1) : tokens
}

const wordsExpression = ({ words, isPrefix }: QueryTerm): string => {
  const [first] = words
  const last = words.at(-1)
  if (first === undefined || last === undefined) return ""
  if (words.length === 1) {
    if (isSingle(first)) return `{parts} : ${quoted([first.folded])}`
    const columns = first.isRun ? "{text}" : "{text parts}"
    return `${columns} : ${quoted(tokensOf(first, true))}${isPrefix ? " *" : ""}`
  }
  const tokens = words.flatMap((word, index) => tokensOf(word, index === words.length - 1))
  return `{text} : ${quoted(tokens)}${isPrefix || isSingle(last) ? " *" : ""}`
}

const termExpression = (term: QueryTerm): string => {
  const { name, isPrefix, signs, words } = term
  const end = isPrefix ? " *" : ""
  const spoken = wordsExpression(term)
  const named = name === undefined ? spoken : `(${spoken} OR {names} : ${quoted(name)}${end})`
  const isOnlySigned = words.length === 0
  const signed = signs.map(({ token }) => `{parts} : ${quoted([token])}${isOnlySigned ? end : ""}`)
  return [...(isOnlySigned ? [] : [named]), ...signed].join(" AND ")
}

const anyOf = (tags: ReadonlyArray<string>) => `{tags} : (${tags.map((tag) => quoted([tag])).join(" OR ")})`

/**
 * The index's own query for terms and tags; `undefined` if the query has nothing to look for. Tokens consist of letters,
 * digits, marks and emoji alone, so none can end its quotes.
 */
export const matchExpression = (terms: ReadonlyArray<QueryTerm>, tags: TagChoices): string | undefined => {
  if (terms.length === 0) return undefined
  const wanted = terms.filter(({ isWithout }) => !isWithout).map(termExpression)
  const unwanted = terms.filter(({ isWithout }) => isWithout).map(termExpression)
  const all = [...wanted, ...tags.map(anyOf)].map((expression) => `(${expression})`).join(" AND ")
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.map((each) => `(${each})`).join(" OR ")})`
}
