import type { Done } from "../../../../src/contract/answers/AccessAnswers.ts"
import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { MemoryAdded } from "../../../../src/contract/answers/KnowledgeAnswers.ts"
import { fieldsOf, listOf, parseJson, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult } from "../common/readable.ts"
import type { ApiClient, ApiFailure, ApiResult, EventStream } from "../link/apiTypes.ts"
import { memorySource } from "./documentSource.ts"
import { removeItem, replaceItem } from "./memoryItems.ts"
import { type MemoryView, memoryView } from "./memoryView.ts"
import { TextDocument } from "./TextDocument.ts"
import type { TextDrafts } from "./TextDrafts.ts"

export interface MemoryState extends MemoryView {
  readonly status: "loading" | "ready" | "failed"
  /** Why the memory couldn't be loaded. */
  readonly message: string | null
  /** Bullets being edited, including those that someone else has changed or deleted since. */
  readonly edits: ReadonlyArray<ItemEdit>
  /** Content of days' sections, as far as it was requested, by `dayKey`. */
  readonly contents: ReadonlyMap<string, string>
}

/** A bullet being edited. */
export interface ItemEdit {
  readonly section: string
  /** Its text when editing began. */
  readonly original: string
  /** What was typed when the page was last shown. */
  readonly draft: string
}

/** A new memory, as `POST /api/memories` takes it. */
export interface NewMemory {
  readonly text: string
  readonly section: string
  readonly category: string
  /** 0 to 1. */
  readonly importance: number
}

/** The result of adding a memory. */
export interface Added {
  /** False if the section already has it. */
  readonly written: boolean
  /** Why the gateway's memory search doesn't have it; null if it does. */
  readonly storeProblem: string | null
}

/** Restores what was deleted. */
export type Undo = () => Promise<ActionResult>

const NEW = "memory-new"
const EDITS = "memory-item:"
const editKey = (section: string, original: string): string => EDITS + JSON.stringify([section, original])

const savedEdits = (drafts: TextDrafts): ReadonlyArray<ItemEdit> =>
  drafts.state.get().flatMap((key) => {
    if (!key.startsWith(EDITS)) return []
    const [section, original] = listOf(parseJson(key.slice(EDITS.length)))
    const draft = drafts.get(key)?.text
    if (typeof section !== "string" || typeof original !== "string" || draft === undefined) return []
    return [{ section, original, draft }]
  })

/** Key of a day's section in `MemoryState.contents`. */
export const dayKey = (date: string, heading: string): string => `${date}\n${heading}`

const READ_EVERY = 1_500
/** Maximum days' sections read for one search; the server allows 60 a minute. */
const MAX_SEARCHED = 40
/** How often a change is retried if someone else changed the section at the same time. */
const TRIES = 3

const worked: ActionResult = { ok: true, value: true }
const refused = ({ message }: ApiFailure): { readonly ok: false; readonly message: string } => ({ ok: false, message })
const GONE = {
  ok: false,
  message: "This memory was changed or deleted in the meantime. Your text is still here."
} as const

/** What the agent remembers, as sections, bullets and days. Follows changes made by agents and other pages. */
export class MemoryStore {
  readonly state = createObservable<MemoryState>({
    status: "loading",
    message: null,
    sections: [],
    days: [],
    damagedFiles: [],
    edits: [],
    contents: new Map()
  })
  private readonly api: ApiClient
  private readonly drafts: TextDrafts
  private readonly documents = new Map<string, TextDocument>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private readAt = Number.NEGATIVE_INFINITY
  private reading = 0
  private watchers = 0
  private readonly watched = new Set<TextDocument>()

  constructor(api: ApiClient, events: EventStream, drafts: TextDrafts) {
    this.api = api
    this.drafts = drafts
    this.publish({ edits: savedEdits(drafts) })
    events.on("memory.changed", () => this.readSoon())
    events.connected.subscribe((isUp) => {
      if (isUp) this.readSoon()
    })
  }

  async load(): Promise<void> {
    const generation = ++this.reading
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.state.get().status === "failed") this.publish({ status: "loading", message: null })
    const result = await this.api.request("GET", "/api/memories", (body) =>
      Array.isArray(body) ? memoryView(body) : null
    )
    this.readAt = Date.now()
    if (generation !== this.reading) return
    if (result.ok) this.publish({ status: "ready", message: null, ...result.value })
    else if (this.state.get().status === "ready") {
      if (result.error.retryAfterMs !== null) this.timer = setTimeout(() => this.load(), result.error.retryAfterMs)
    } else this.publish({ status: "failed", message: result.error.message })
  }

  /** Adds a bullet; creates its section if there is none. */
  async add(memory: NewMemory): Promise<ActionResult<Added>> {
    const result = await this.api.request(
      "POST",
      "/api/memories",
      (body) => {
        const { written, vectorStore, details } = fieldsOf<MemoryAdded>(
          fieldsOf<Answers["POST /api/memories"]>(body).result
        )
        if (typeof written !== "boolean") return null
        return { written, storeProblem: vectorStore === "failed" ? (textOf(details) ?? "It gave no reason.") : null }
      },
      { body: memory }
    )
    if (!result.ok) return refused(result.error)
    await this.load()
    return result
  }

  /** The text of an unfinished new memory. */
  newText(): string {
    return this.drafts.get(NEW)?.text ?? ""
  }

  keepNewText(text: string): void {
    if (text === "") this.drafts.remove(NEW)
    else this.drafts.set(NEW, { text, version: null })
  }

  /** Starts editing a bullet. */
  startEdit(section: string, original: string): void {
    const { edits } = this.state.get()
    if (edits.some((edit) => edit.section === section && edit.original === original)) return
    this.publish({ edits: [...edits, { section, original, draft: original }] })
  }

  /** Stores the text typed for a bullet so that it survives the page. */
  keepEdit(section: string, original: string, text: string): void {
    const key = editKey(section, original)
    if (text === original) this.drafts.remove(key)
    else this.drafts.set(key, { text, version: null })
  }

  /** What was typed for a bullet so far. */
  typed({ section, original }: Pick<ItemEdit, "section" | "original">): string {
    return this.drafts.get(editKey(section, original))?.text ?? original
  }

  /** Stops editing a bullet without a change. */
  endEdit(section: string, original: string): void {
    this.drafts.remove(editKey(section, original))
    const edits = this.state.get().edits.filter((edit) => edit.section !== section || edit.original !== original)
    this.publish({ edits })
  }

  /** Changes a bullet's text in place. */
  async editItem(section: string, text: string, next: string): Promise<ActionResult> {
    const done = await this.changeSection(section, (content) => replaceItem(content, text, next))
    if (!done.ok) return done
    this.endEdit(section, text)
    return worked
  }

  /** Deletes a section's bullet; returns how to restore it. */
  async removeItem(section: string, text: string): Promise<ActionResult<Undo>> {
    const done = await this.changeSection(section, (content) => removeItem(content, text))
    if (!done.ok) return done
    const { before, version } = done.value
    const undo = async (): Promise<ActionResult> => {
      const result = await memorySource(this.api, section, null).write(before, version)
      await this.load()
      if (result.ok) return worked
      if (result.error.kind !== "conflict") return refused(result.error)
      const added = await this.add({ text, section, category: "other", importance: 0.7 })
      return added.ok ? worked : added
    }
    return { ok: true, value: undo }
  }

  /** Permanently deletes every bullet with this text, wherever it is. */
  removeEverywhere(text: string): Promise<ActionResult> {
    return this.remove({ query: text, type: "item" })
  }

  /** Permanently deletes a section with all of its content; a day's section if a date is given. */
  removeSection(title: string, date: string | null): Promise<ActionResult> {
    const document = this.documents.get(memorySource(this.api, title, date).key)
    document?.discard()
    return this.remove(date === null ? { query: title, type: "section" } : { query: title, type: "daily", date })
  }

  /** A section's content as one text to edit. */
  document(title: string, date: string | null): TextDocument {
    const source = memorySource(this.api, title, date)
    const known = this.documents.get(source.key)
    if (known !== undefined) return known
    const made = new TextDocument(source, this.drafts, () => Date.now())
    this.documents.set(source.key, made)
    return made
  }

  /** Whether a section has unsaved text. */
  isUnsaved(title: string, date: string | null): boolean {
    return this.drafts.get(memorySource(this.api, title, date).key) !== null
  }

  /** Loads a day's section, unless it is already loaded. */
  async readDay(date: string, heading: string): Promise<ActionResult> {
    const key = dayKey(date, heading)
    if (this.state.get().contents.has(key)) return worked
    const result = await memorySource(this.api, heading, date).read()
    if (!result.ok) return refused(result.error)
    this.publish({ contents: new Map(this.state.get().contents).set(key, result.value.text) })
    return worked
  }

  /** Loads the days' sections that a search needs. */
  async readDays(): Promise<void> {
    const all = this.state.get().days.flatMap(({ date, headings }) => headings.map((heading) => ({ date, heading })))
    const missing = all.filter(({ date, heading }) => !this.state.get().contents.has(dayKey(date, heading)))
    for (const { date, heading } of missing.slice(0, MAX_SEARCHED)) {
      const result = await this.readDay(date, heading)
      if (!result.ok) return
    }
  }

  /** Reads the memory, and again whenever it changes, until the returned function is called. */
  watch(): () => void {
    // Changes to the days went unnoticed in the meantime.
    if (this.watchers === 0) this.publish({ contents: new Map() })
    this.watchers += 1
    void this.load()
    return () => {
      this.watchers -= 1
      if (this.watchers > 0) return
      clearTimeout(this.timer)
      this.timer = undefined
    }
  }

  /** Reads a section's text, and checks it again whenever the memory changes, until the returned function is called. */
  watchDocument(document: TextDocument): () => void {
    this.watched.add(document)
    void document.load()
    return () => this.watched.delete(document)
  }

  /** Something changed; if someone is looking at the memory, it is read soon, but not too often. */
  readSoon(): void {
    if (this.watchers === 0) return
    for (const document of this.watched) document.changedOutside(null)
    if (this.state.get().status === "loading" || this.timer !== undefined) return
    const wait = Math.max(100, this.readAt + READ_EVERY - Date.now())
    this.timer = setTimeout(() => {
      const read = [...this.state.get().contents.keys()]
      this.publish({ contents: new Map() })
      void this.load()
      void this.readAgain(read)
    }, wait)
  }

  private async readAgain(keys: ReadonlyArray<string>): Promise<void> {
    for (const key of keys.slice(0, MAX_SEARCHED)) {
      const [date = "", heading = ""] = key.split("\n")
      await this.readDay(date, heading)
    }
  }

  private async remove(body: object): Promise<ActionResult> {
    const removed = (answer: unknown) => (fieldsOf<Done>(answer).ok === true ? (true as const) : null)
    const result = await this.api.request("DELETE", "/api/memories", removed, { body })
    await this.load()
    return result.ok ? worked : refused(result.error)
  }

  /** Changes a section as it is now, and retries if someone else was faster; returns the content before and after. */
  private async changeSection(
    title: string,
    change: (content: string) => string | null
  ): Promise<ActionResult<{ readonly before: string; readonly version: string }>> {
    const source = memorySource(this.api, title, null)
    for (let left = TRIES; ; left--) {
      const stored = await source.read()
      if (!stored.ok) return stored.error.kind === "not_found" ? GONE : refused(stored.error)
      const next = change(stored.value.text)
      if (next === null) return GONE
      const written: ApiResult<string> = await source.write(next, stored.value.version)
      if (written.ok) {
        await this.load()
        return { ok: true, value: { before: stored.value.text, version: written.value } }
      }
      if (written.error.kind !== "conflict" || left <= 1) return refused(written.error)
    }
  }

  private publish(change: Partial<MemoryState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }
}
