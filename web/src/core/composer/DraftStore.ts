import { listOf, parseJson } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { Readable } from "../common/readable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** Unsent texts, one per session, kept across reloads. */
export interface DraftStore {
  get(sessionKey: string): string
  set(sessionKey: string, text: string): void
}

/** The same, telling of changes. */
export interface WatchedDrafts extends DraftStore {
  /** The session whose text was changed last. */
  readonly changed: Readable<{ readonly key: string }>
}

/** Where the browser keeps them. */
export const DRAFTS_KEY = "agent-console:drafts"
const MAX_DRAFTS = 50
/** Total characters of all drafts; browsers give a page about five million. */
const MAX_SIZE = 500_000

/** The texts as the browser keeps them, by session. */
export const draftsIn = (stored: string | null): Map<string, string> => {
  const drafts = new Map<string, string>()
  for (const entry of listOf(parseJson(stored ?? ""))) {
    const [key, text] = listOf(entry)
    if (typeof key === "string" && typeof text === "string") drafts.set(key, text)
  }
  return drafts
}

/** The 50 most recent unsent texts. They are kept in the page even if the browser has no room left. */
export function createDrafts(storage: KeyValueStorage): WatchedDrafts {
  const drafts = draftsIn(storage.getItem(DRAFTS_KEY))
  const changed = createObservable({ key: "" })

  function save(): void {
    const kept: Array<readonly [string, string]> = []
    let size = 0
    for (const entry of [...drafts].reverse().slice(0, MAX_DRAFTS)) {
      size += entry[1].length
      if (size > MAX_SIZE) break
      kept.unshift(entry)
    }
    try {
      storage.setItem(DRAFTS_KEY, JSON.stringify(kept))
    } catch {
      // The drafts stay in the page.
    }
  }

  const get = (sessionKey: string) => drafts.get(sessionKey) ?? ""
  return {
    get,
    set: (sessionKey, text) => {
      if (get(sessionKey) === text) return
      drafts.delete(sessionKey)
      if (text !== "") drafts.set(sessionKey, text)
      save()
      changed.set({ key: sessionKey })
    },
    changed
  }
}
