import { listOf, parseJson } from "../../../../src/contract/looseFields.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** Unsent texts, one per session, kept across reloads. */
export interface DraftStore {
  get(sessionKey: string): string
  set(sessionKey: string, text: string): void
}

/** The same, telling of changes. */
export interface WatchedDrafts extends DraftStore {
  /** Whether this browser has the session's text, or knows that somebody emptied it; otherwise its absence says nothing. */
  knows(sessionKey: string): boolean
  /** The session whose text was changed last. */
  readonly changed: Readable<{ readonly key: string }>
}

/** Where the browser keeps them. */
export const DRAFTS_KEY = "agent-console:drafts"
const MAX_DRAFTS = 50
/** Fields that somebody emptied: without a trace of it, another place's words would come back. */
const MAX_EMPTIED = 200
/** Total characters of all drafts; browsers give a page about five million. */
export const MAX_DRAFT_SIZE = 500_000

/** The texts as the browser keeps them, by session; those that were emptied are empty. */
export const draftsIn = (stored: string | null): Map<string, string> => {
  const drafts = new Map<string, string>()
  for (const entry of listOf(parseJson(stored ?? ""))) {
    const [key, text] = listOf(entry)
    if (typeof key === "string" && typeof text === "string") drafts.set(key, text)
  }
  return drafts
}

/**
 * The 50 most recent unsent texts. They are kept in the page even if the browser has no room left, or not enough for one
 * of them.
 */
export function createDrafts(storage: KeyValueStorage): WatchedDrafts {
  const drafts = draftsIn(storage.getItem(DRAFTS_KEY))
  const changed = createObservable({ key: "" })

  function save(): void {
    const kept: Array<readonly [string, string]> = []
    let texts = 0
    let emptied = 0
    let size = 0
    for (const entry of [...drafts].reverse()) {
      const { length } = entry[1]
      if (length === 0 ? emptied >= MAX_EMPTIED : texts >= MAX_DRAFTS || size + length > MAX_DRAFT_SIZE) continue
      if (length === 0) emptied += 1
      else texts += 1
      size += length
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
    knows: (sessionKey) => drafts.has(sessionKey),
    set: (sessionKey, text) => {
      if (get(sessionKey) === text) return
      drafts.delete(sessionKey)
      drafts.set(sessionKey, text)
      save()
      changed.set({ key: sessionKey })
    },
    changed
  }
}
