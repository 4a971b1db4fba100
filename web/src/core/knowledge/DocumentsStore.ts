import type { DocumentEntry, DocumentList } from "../../../../src/contract/schema/knowledge.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import { documentSource } from "./documentSource.ts"
import { createTextDocument, type TextDocument } from "./TextDocument.ts"
import type { TextDrafts } from "./TextDrafts.ts"
import type { TextSource } from "./TextSource.ts"

/** One of the six documents. */
export interface DocumentRow extends Omit<DocumentEntry, "key"> {
  readonly key: string
}

export interface DocumentsState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  readonly rows: ReadonlyArray<DocumentRow>
}

const NOT_WRITTEN: ApiResult<never> = {
  ok: false,
  error: { kind: "not_found", status: 404, message: say("It doesn't exist yet."), retryAfterMs: null, body: null }
}

export interface DocumentsStore {
  readonly state: Readable<DocumentsState>
  load(): Promise<void>
  /** A document's text, created on first use. */
  document(key: string): TextDocument
  /** Whether a document has unsaved text. */
  isUnsaved(key: string): boolean
  /** Stores all unsaved text so that it survives the page; returns whether there is any. */
  keep(): boolean
  /** The page was away: what is on screen may be outdated. */
  lookAgain(): Promise<void>
}

/** The documents that tell the agent who it is. Follows changes made by agents and other pages. */
export function createDocumentsStore(api: ApiClient, events: EventStream, drafts: TextDrafts): DocumentsStore {
  const state = createObservable<DocumentsState>({ status: "loading", message: null, rows: [] })
  const documents = new Map<string, TextDocument>()

  async function load(): Promise<void> {
    if (state.get().status === "failed") state.set({ status: "loading", message: null, rows: [] })
    const result = await api.request("GET", "/api/workspace", ({ files }: DocumentList) => files)
    if (result.ok) {
      // Those that aren't there come last, and stay where they are while they are written.
      const rows = result.value.toSorted((one, other) => Number(other.exists) - Number(one.exists))
      state.set({ status: "ready", message: null, rows })
    } else if (state.get().status !== "ready") {
      state.set({ status: "failed", message: result.error.message, rows: [] })
    }
  }

  async function lookAgain(): Promise<void> {
    if (state.get().status !== "ready") return
    await load()
    for (const document of documents.values()) {
      if (document.state.get().status !== "loading") document.changedOutside(null)
    }
  }

  /** A document that doesn't exist according to the list isn't requested. */
  function source(key: string): TextSource {
    const source = documentSource(api, key)
    return {
      key: source.key,
      read: async () => (state.get().rows.some((row) => row.key === key && !row.exists) ? NOT_WRITTEN : source.read()),
      write: async (text, version) => {
        const result = await source.write(text, version)
        if (result.ok) mark(key, true)
        return result
      }
    }
  }

  function changed(row: DocumentRow, exists: boolean): void {
    mark(row.key, exists)
    const document = documents.get(row.key)
    if (document !== undefined && document.state.get().status !== "loading") document.changedOutside(null)
  }

  function mark(key: string, exists: boolean): void {
    const { rows } = state.get()
    if (!rows.some((row) => row.key === key && row.exists !== exists)) return
    state.set({ ...state.get(), rows: rows.map((row) => (row.key === key ? { ...row, exists } : row)) })
  }

  events.on("file.changed", ({ data: { mtime, path } }) => {
    const row = state.get().rows.find(({ filename }) => filename === path)
    if (row !== undefined) changed(row, mtime !== 0)
  })
  events.connected.subscribe((isUp) => {
    if (isUp) void lookAgain()
  })

  return {
    state,
    load,
    document: (key) => {
      const known = documents.get(key)
      if (known !== undefined) return known
      const made = createTextDocument(source(key), drafts, () => Date.now())
      documents.set(key, made)
      return made
    },
    isUnsaved: (key) => drafts.get(documentSource(api, key).key) !== null,
    keep: () => {
      const unsaved = [...documents.values()].filter(({ state }) => state.get().dirty)
      for (const document of unsaved) document.keep()
      return unsaved.length > 0
    },
    lookAgain
  }
}
