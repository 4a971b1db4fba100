import { fieldsOf, listOf, parseJson, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

const INDEX = "agent-console:unsaved"

/** Unsaved text, and the stored state it is based on; null stands for something that didn't exist yet. */
export interface TextDraft {
  readonly text: string
  readonly version: string | null
}

/** Unsaved editor texts, kept across reloads as far as the browser has room. */
export class TextDrafts {
  /** Keys of all unsaved texts, oldest first. */
  readonly state = createObservable<ReadonlyArray<string>>([])
  private readonly drafts = new Map<string, TextDraft>()
  private readonly storage: KeyValueStorage

  constructor(storage: KeyValueStorage) {
    this.storage = storage
    for (const entry of listOf(parseJson(storage.getItem(INDEX) ?? ""))) {
      const key = textOf(entry)
      if (key === null) continue
      const { text, version } = fieldsOf(parseJson(storage.getItem(`${INDEX}:${key}`) ?? ""))
      if (typeof text === "string") this.drafts.set(key, { text, version: textOf(version) })
    }
    this.state.set([...this.drafts.keys()])
  }

  get(key: string): TextDraft | null {
    return this.drafts.get(key) ?? null
  }

  /** Keeps a text; false if it won't survive the page. */
  set(key: string, draft: TextDraft): boolean {
    const isNew = !this.drafts.has(key)
    this.drafts.set(key, draft)
    const isWritten = this.write(`${INDEX}:${key}`, JSON.stringify(draft))
    return isNew ? this.writeIndex() && isWritten : isWritten
  }

  remove(key: string): void {
    if (!this.drafts.delete(key)) return
    this.storage.removeItem(`${INDEX}:${key}`)
    this.writeIndex()
  }

  private writeIndex(): boolean {
    this.state.set([...this.drafts.keys()])
    return this.write(INDEX, JSON.stringify(this.state.get()))
  }

  private write(key: string, value: string): boolean {
    try {
      this.storage.setItem(key, value)
      return true
    } catch {
      // An old copy would come back as if it were the latest.
      this.storage.removeItem(key)
      return false
    }
  }
}
