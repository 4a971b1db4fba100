import { listOf, parseJson } from "../common/decode.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

/** Unsent texts, one per session, kept across reloads. */
export interface DraftStore {
  get(sessionKey: string): string
  set(sessionKey: string, text: string): void
}

const KEY = "agent-console:drafts"
const MAX_DRAFTS = 50
/** Total characters of all drafts; browsers give a page about five million. */
const MAX_SIZE = 500_000

/** The 50 most recent unsent texts. They are kept in the page even if the browser has no room left. */
export function createDrafts(storage: KeyValueStorage): DraftStore {
  const drafts = new Map<string, string>()
  for (const entry of listOf(parseJson(storage.getItem(KEY) ?? ""))) {
    const [key, text] = listOf(entry)
    if (typeof key === "string" && typeof text === "string") drafts.set(key, text)
  }

  function save(): void {
    const kept: Array<readonly [string, string]> = []
    let size = 0
    for (const entry of [...drafts].reverse().slice(0, MAX_DRAFTS)) {
      size += entry[1].length
      if (size > MAX_SIZE) break
      kept.unshift(entry)
    }
    try {
      storage.setItem(KEY, JSON.stringify(kept))
    } catch {
      // The drafts stay in the page.
    }
  }

  return {
    get: (sessionKey) => drafts.get(sessionKey) ?? "",
    set: (sessionKey, text) => {
      if ((drafts.get(sessionKey) ?? "") === text) return
      drafts.delete(sessionKey)
      if (text !== "") drafts.set(sessionKey, text)
      save()
    }
  }
}
