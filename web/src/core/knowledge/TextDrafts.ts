import { fieldsOf, listOf, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

const INDEX = "agent-console:unsaved"

/** Unsaved text, and the stored state it is based on; null stands for something that didn't exist yet. */
export interface TextDraft {
  readonly text: string
  readonly version: string | null
  /** The stored text it is based on; null where that isn't known. */
  readonly base: string | null
}

export interface TextDrafts {
  /** Keys of all unsaved texts, oldest first. */
  readonly state: Readable<ReadonlyArray<string>>
  get(key: string): TextDraft | null
  /** Keeps a text; false if it won't survive the page. */
  set(key: string, draft: TextDraft): boolean
  remove(key: string): void
}

/** Unsaved editor texts, kept across reloads as far as the browser has room. */
export function createTextDrafts(storage: KeyValueStorage): TextDrafts {
  const state = createObservable<ReadonlyArray<string>>([])
  const drafts = new Map<string, TextDraft>()

  const readIndex = (): ReadonlyArray<string> =>
    listOf(parseJson(storage.getItem(INDEX) ?? "")).flatMap((entry) => textOf(entry) ?? [])

  /** Names what is unsaved here, and what another tab has kept meanwhile. */
  function writeIndex(): boolean {
    state.set([...drafts.keys()])
    const others = readIndex().filter((key) => !drafts.has(key) && storage.getItem(`${INDEX}:${key}`) !== null)
    return write(INDEX, JSON.stringify([...others, ...drafts.keys()]))
  }

  function write(key: string, value: string): boolean {
    try {
      storage.setItem(key, value)
      return true
    } catch {
      // An old copy would come back as if it were the latest.
      storage.removeItem(key)
      return false
    }
  }

  for (const key of readIndex()) {
    const { text, version, base } = fieldsOf(parseJson(storage.getItem(`${INDEX}:${key}`) ?? ""))
    if (typeof text === "string") drafts.set(key, { text, version: textOf(version), base: textOf(base) })
  }
  state.set([...drafts.keys()])

  return {
    state,
    get: (key) => drafts.get(key) ?? null,
    set: (key, draft) => {
      const isNew = !drafts.has(key)
      drafts.set(key, draft)
      const place = `${INDEX}:${key}`
      // What was typed matters more than what it is based on.
      const isWritten =
        write(place, JSON.stringify(draft)) ||
        (draft.base !== null && write(place, JSON.stringify({ ...draft, base: null })))
      return isNew ? writeIndex() && isWritten : isWritten
    },
    remove: (key) => {
      if (!drafts.delete(key)) return
      storage.removeItem(`${INDEX}:${key}`)
      writeIndex()
    }
  }
}
