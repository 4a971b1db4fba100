import { listOf, parseJson } from "../common/decode.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

const KEY = "agent-console:searches"
/** Searches kept, newest first. */
const MAX = 8

/** The latest searches of this browser, newest first. */
export const recentSearches = (storage: KeyValueStorage): ReadonlyArray<string> =>
  listOf(parseJson(storage.getItem(KEY) ?? "")).flatMap((text) => (typeof text === "string" ? [text] : []))

/** Remembers a search; one that was there moves to the front. */
export const rememberSearch = (storage: KeyValueStorage, text: string): ReadonlyArray<string> => {
  const wanted = text.trim()
  const before = recentSearches(storage)
  if (wanted === "") return before
  const kept = [wanted, ...before.filter((one) => one.toLowerCase() !== wanted.toLowerCase())].slice(0, MAX)
  storage.setItem(KEY, JSON.stringify(kept))
  return kept
}

/** Forgets all of them. */
export const forgetSearches = (storage: KeyValueStorage): void => storage.removeItem(KEY)
