import { listOf, parseJson } from "../../../../src/contract/looseFields.ts"
import type { Client } from "../client/Client.ts"
import { createObservable, type Observable } from "../common/Observable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import { createSearchStore, type SearchStore } from "./SearchStore.ts"
import type { SearchSurroundings } from "./searchQuery.ts"

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

/** The search of everything, and where its reader was. */
export interface Search {
  readonly store: SearchStore
  /** The latest searches, newest first. */
  readonly recent: Observable<ReadonlyArray<string>>
  readonly remember: (text: string) => void
  readonly forget: () => void
  /** What a return to the results goes back to. */
  place: { readonly text: string; readonly selected: string | null; readonly scrollTop: number }
}

/** What the names in a filter may stand for now. */
export const aroundSearch =
  (client: Client, now: () => number = Date.now) =>
  (): SearchSurroundings => ({ now: now(), sessions: client.sessions.state.get().rows })

const made = new WeakMap<Client, Search>()

/** A console's search, created on first use and kept for the life of the page. */
export const searchOf = (client: Client): Search => {
  const known = made.get(client)
  if (known !== undefined) return known
  const recent = createObservable(recentSearches(client.storage))
  const search: Search = {
    store: createSearchStore({ api: client.api, around: aroundSearch(client) }),
    recent,
    remember: (text) => recent.set(rememberSearch(client.storage, text)),
    forget: () => {
      forgetSearches(client.storage)
      recent.set([])
    },
    place: { text: "", selected: null, scrollTop: 0 }
  }
  made.set(client, search)
  return search
}
