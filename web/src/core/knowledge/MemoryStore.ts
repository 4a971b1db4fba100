import { listOf, parseJson } from "../../../../src/contract/looseFields.ts"
import type { MemoryAdded } from "../../../../src/contract/schema/knowledge.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { ApiClient, ApiFailure, ApiResult, EventStream } from "../link/apiTypes.ts"
import { dayPreviews } from "./dayPreview.ts"
import { memorySource } from "./documentSource.ts"
import { fileSource } from "./fileSource.ts"
import { removeItem, replaceItem } from "./memoryItems.ts"
import { type MemoryView, memoryView } from "./memoryView.ts"
import { createTextDocument, type TextDocument } from "./TextDocument.ts"
import type { TextDrafts } from "./TextDrafts.ts"
import { isUnreadable } from "./TextSource.ts"

export interface MemoryState extends MemoryView {
  readonly status: "loading" | "ready" | "failed"
  /** Why the memory couldn't be loaded. */
  readonly message: string | null
  /** Bullets being edited, including those that someone else has changed or deleted since. */
  readonly edits: ReadonlyArray<ItemEdit>
  /** Content of days' sections, as far as it was requested, by `dayKey`. */
  readonly contents: ReadonlyMap<string, string>
  /** What days' sections begin with, as far as it's known, by `dayKey`. */
  readonly previews: ReadonlyMap<string, string>
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
  message: say("This memory was changed or deleted in the meantime. Your text is still here.")
} as const

export interface MemoryStore {
  readonly state: Readable<MemoryState>
  load(): Promise<void>
  /** Adds a bullet; creates its section if there is none. */
  add(memory: NewMemory): Promise<ActionResult<Added>>
  /** The text of an unfinished new memory. */
  newText(): string
  keepNewText(text: string): void
  /** Starts editing a bullet. */
  startEdit(section: string, original: string): void
  /** Stores the text typed for a bullet so that it survives the page. */
  keepEdit(section: string, original: string, text: string): void
  /** What was typed for a bullet so far. */
  typed(edit: Pick<ItemEdit, "section" | "original">): string
  /** Stops editing a bullet without a change. */
  endEdit(section: string, original: string): void
  /** Changes a bullet's text in place. */
  editItem(section: string, text: string, next: string): Promise<ActionResult>
  /** Deletes a section's bullet; returns how to restore it. */
  removeItem(section: string, text: string): Promise<ActionResult<Undo>>
  /** Permanently deletes every bullet with this text, wherever it is. */
  removeEverywhere(text: string): Promise<ActionResult>
  /** Permanently deletes a section with all of its content; a day's section if a date is given. */
  removeSection(title: string, date: string | null): Promise<ActionResult>
  /** A section's content as one text to edit. */
  document(title: string, date: string | null): TextDocument
  /** Whether a section has unsaved text. */
  isUnsaved(title: string, date: string | null): boolean
  /** Loads a day's section, unless it is already loaded. */
  readDay(date: string, heading: string): Promise<ActionResult>
  /** Loads the days' sections that a search needs. */
  readDays(): Promise<void>
  /** Reads the memory, and again whenever it changes, until the returned function is called. */
  watch(): () => void
  /** Reads a section's text, and checks it again whenever the memory changes, until the returned function is called. */
  watchDocument(document: TextDocument): () => void
  /** Something changed; if someone is looking at the memory, it is read soon, but not too often. */
  readSoon(): void
}

/** What the agent remembers, as sections, bullets and days. Follows changes made by agents and other pages. */
export function createMemoryStore(api: ApiClient, events: EventStream, drafts: TextDrafts): MemoryStore {
  const state = createObservable<MemoryState>({
    status: "loading",
    message: null,
    sections: [],
    days: [],
    damagedFiles: [],
    edits: [],
    contents: new Map(),
    previews: new Map()
  })
  const documents = new Map<string, TextDocument>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading = 0
  let watchers = 0
  const watched = new Set<TextDocument>()
  /** Days whose previews are known, or can't be. */
  const previewed = new Set<string>()

  async function load(): Promise<void> {
    const generation = ++reading
    clearTimeout(timer)
    timer = undefined
    if (state.get().status === "failed") publish({ status: "loading", message: null })
    const result = await api.request("GET", "/api/memories", memoryView)
    readAt = Date.now()
    if (generation !== reading) return
    if (result.ok) {
      publish({ status: "ready", message: null, ...result.value })
      void readPreviews()
    } else if (state.get().status === "ready") {
      if (result.error.retryAfterMs !== null) timer = setTimeout(() => load(), result.error.retryAfterMs)
    } else publish({ status: "failed", message: result.error.message })
  }

  async function add(memory: NewMemory): Promise<ActionResult<Added>> {
    const result = await api.request(
      "POST",
      "/api/memories",
      ({ result: { details = say("It gave no reason."), vectorStore, written } }: MemoryAdded) => ({
        written,
        storeProblem: vectorStore === "failed" ? details : null
      }),
      { body: memory }
    )
    if (!result.ok) return refused(result.error)
    await load()
    return result
  }

  function endEdit(section: string, original: string): void {
    drafts.remove(editKey(section, original))
    const edits = state.get().edits.filter((edit) => edit.section !== section || edit.original !== original)
    publish({ edits })
  }

  async function readDay(date: string, heading: string): Promise<ActionResult> {
    const key = dayKey(date, heading)
    if (state.get().contents.has(key)) return worked
    const result = await memorySource(api, heading, date).read()
    if (!result.ok) return refused(result.error)
    publish({ contents: new Map(state.get().contents).set(key, result.value.text) })
    return worked
  }

  /** Days are read as whole files, which is one request for each; where they are kept elsewhere, there are no previews. */
  async function readPreviews(): Promise<void> {
    if (watchers === 0) return
    for (const { date, headings } of state.get().days) {
      if (previewed.has(date)) continue
      previewed.add(date)
      const result = await fileSource(api, `memory/${date}.md`).read()
      if (!result.ok) {
        // One day that isn't text keeps nobody from the others.
        if (isUnreadable(result.error)) continue
        const { kind } = result.error
        if (kind === "not_found" || kind === "forbidden") for (const day of state.get().days) previewed.add(day.date)
        else previewed.delete(date)
        return
      }
      const found = dayPreviews(result.value.text, headings).map(
        ([heading, text]) => [dayKey(date, heading), text] as const
      )
      publish({ previews: new Map([...state.get().previews, ...found]) })
    }
  }

  function readSoon(): void {
    if (watchers === 0) return
    for (const document of watched) document.changedOutside(null)
    if (state.get().status === "loading" || timer !== undefined) return
    const wait = Math.max(100, readAt + READ_EVERY - Date.now())
    timer = setTimeout(() => {
      const read = [...state.get().contents.keys()]
      publish({ contents: new Map() })
      void load()
      void readAgain(read)
    }, wait)
  }

  async function readAgain(keys: ReadonlyArray<string>): Promise<void> {
    for (const key of keys.slice(0, MAX_SEARCHED)) {
      const [date = "", heading = ""] = key.split("\n")
      await readDay(date, heading)
    }
  }

  async function remove(body: object): Promise<ActionResult> {
    const removed = () => true as const
    const result = await api.request("DELETE", "/api/memories", removed, { body })
    await load()
    return result.ok ? worked : refused(result.error)
  }

  /** Changes a section as it is now, and retries if someone else was faster; returns the content before and after. */
  async function changeSection(
    title: string,
    change: (content: string) => string | null
  ): Promise<ActionResult<{ readonly before: string; readonly version: string }>> {
    const source = memorySource(api, title, null)
    for (let left = TRIES; ; left--) {
      const stored = await source.read()
      if (!stored.ok) return stored.error.kind === "not_found" ? GONE : refused(stored.error)
      const next = change(stored.value.text)
      if (next === null) return GONE
      const written: ApiResult<string> = await source.write(next, stored.value.version)
      if (written.ok) {
        await load()
        return { ok: true, value: { before: stored.value.text, version: written.value } }
      }
      if (written.error.kind !== "conflict" || left <= 1) return refused(written.error)
    }
  }

  const publish = (change: Partial<MemoryState>) => state.set({ ...state.get(), ...change })

  publish({ edits: savedEdits(drafts) })
  events.on("memory.changed", ({ data }) => {
    previewed.delete(data.file.replace(/\.md$/, ""))
    readSoon()
  })
  events.connected.subscribe((isUp) => {
    if (!isUp) return
    previewed.clear()
    readSoon()
  })

  return {
    state,
    load,
    add,
    newText: () => drafts.get(NEW)?.text ?? "",
    keepNewText: (text) => {
      if (text === "") drafts.remove(NEW)
      else drafts.set(NEW, { text, version: null, base: null })
    },
    startEdit: (section, original) => {
      const { edits } = state.get()
      if (edits.some((edit) => edit.section === section && edit.original === original)) return
      publish({ edits: [...edits, { section, original, draft: original }] })
    },
    keepEdit: (section, original, text) => {
      const key = editKey(section, original)
      if (text === original) drafts.remove(key)
      else drafts.set(key, { text, version: null, base: null })
    },
    typed: ({ section, original }) => drafts.get(editKey(section, original))?.text ?? original,
    endEdit,
    editItem: async (section, text, next) => {
      const done = await changeSection(section, (content) => replaceItem(content, text, next))
      if (!done.ok) return done
      endEdit(section, text)
      return worked
    },
    removeItem: async (section, text) => {
      const done = await changeSection(section, (content) => removeItem(content, text))
      if (!done.ok) return done
      const { before, version } = done.value
      const undo = async (): Promise<ActionResult> => {
        const result = await memorySource(api, section, null).write(before, version)
        await load()
        if (result.ok) return worked
        if (result.error.kind !== "conflict") return refused(result.error)
        const added = await add({ text, section, category: "other", importance: 0.7 })
        return added.ok ? worked : added
      }
      return { ok: true, value: undo }
    },
    removeEverywhere: (text) => remove({ query: text, type: "item" }),
    removeSection: (title, date) => {
      const document = documents.get(memorySource(api, title, date).key)
      document?.discard()
      return remove(date === null ? { query: title, type: "section" } : { query: title, type: "daily", date })
    },
    document: (title, date) => {
      const source = memorySource(api, title, date)
      const known = documents.get(source.key)
      if (known !== undefined) return known
      const made = createTextDocument(source, drafts, () => Date.now())
      documents.set(source.key, made)
      return made
    },
    isUnsaved: (title, date) => drafts.get(memorySource(api, title, date).key) !== null,
    readDay,
    readDays: async () => {
      const all = state.get().days.flatMap(({ date, headings }) => headings.map((heading) => ({ date, heading })))
      const missing = all.filter(({ date, heading }) => !state.get().contents.has(dayKey(date, heading)))
      for (const { date, heading } of missing.slice(0, MAX_SEARCHED)) {
        const result = await readDay(date, heading)
        if (!result.ok) return
      }
    },
    watch: () => {
      // Changes to the days went unnoticed in the meantime.
      if (watchers === 0) {
        previewed.clear()
        publish({ contents: new Map() })
      }
      watchers += 1
      void load()
      return () => {
        watchers -= 1
        if (watchers > 0) return
        clearTimeout(timer)
        timer = undefined
      }
    },
    watchDocument: (document) => {
      watched.add(document)
      void document.load()
      return () => watched.delete(document)
    },
    readSoon
  }
}
