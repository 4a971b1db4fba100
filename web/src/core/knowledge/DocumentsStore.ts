import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { DocumentEntry } from "../../../../src/contract/answers/KnowledgeAnswers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, recordsOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient, ApiResult, EventStream } from "../link/apiTypes.ts"
import { documentSource } from "./documentSource.ts"
import { TextDocument } from "./TextDocument.ts"
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
  error: { kind: "not_found", status: 404, message: "It doesn't exist yet.", retryAfterMs: null, body: null }
}

/** The documents that tell the agent who it is. Follows changes made by agents and other pages. */
export class DocumentsStore {
  readonly state = createObservable<DocumentsState>({ status: "loading", message: null, rows: [] })
  private readonly api: ApiClient
  private readonly drafts: TextDrafts
  private readonly documents = new Map<string, TextDocument>()

  constructor(api: ApiClient, events: EventStream, drafts: TextDrafts) {
    this.api = api
    this.drafts = drafts
    events.on("file.changed", ({ data }) => {
      const { path, mtime } = fieldsOf<EventData["file.changed"]>(data)
      const row = this.state.get().rows.find(({ filename }) => filename === path)
      if (row !== undefined) this.changed(row, mtime !== 0)
    })
    events.connected.subscribe((isUp) => {
      if (isUp) void this.lookAgain()
    })
  }

  async load(): Promise<void> {
    if (this.state.get().status === "failed") this.state.set({ status: "loading", message: null, rows: [] })
    const result = await this.api.request("GET", "/api/workspace", (body) => {
      const { files } = fieldsOf<Answers["GET /api/workspace"]>(body)
      return Array.isArray(files) ? recordsOf<DocumentEntry>(files) : null
    })
    if (result.ok) {
      const rows = result.value.flatMap(({ key, filename, exists }) =>
        typeof key === "string" && typeof filename === "string" ? [{ key, filename, exists: exists === true }] : []
      )
      this.state.set({ status: "ready", message: null, rows })
    } else if (this.state.get().status !== "ready") {
      this.state.set({ status: "failed", message: result.error.message, rows: [] })
    }
  }

  /** A document's text, created on first use. */
  document(key: string): TextDocument {
    const known = this.documents.get(key)
    if (known !== undefined) return known
    const made = new TextDocument(this.source(key), this.drafts, () => Date.now())
    this.documents.set(key, made)
    return made
  }

  /** Whether a document has unsaved text. */
  isUnsaved(key: string): boolean {
    return this.drafts.get(documentSource(this.api, key).key) !== null
  }

  /** Stores all unsaved text so that it survives the page; returns whether there is any. */
  keep(): boolean {
    const unsaved = [...this.documents.values()].filter(({ state }) => state.get().dirty)
    for (const document of unsaved) document.keep()
    return unsaved.length > 0
  }

  /** The page was away: what is on screen may be outdated. */
  async lookAgain(): Promise<void> {
    if (this.state.get().status !== "ready") return
    await this.load()
    for (const document of this.documents.values()) {
      if (document.state.get().status !== "loading") document.changedOutside(null)
    }
  }

  /** A document that doesn't exist according to the list isn't requested. */
  private source(key: string): TextSource {
    const source = documentSource(this.api, key)
    return {
      key: source.key,
      read: async () =>
        this.state.get().rows.some((row) => row.key === key && !row.exists) ? NOT_WRITTEN : source.read(),
      write: async (text, version) => {
        const result = await source.write(text, version)
        if (result.ok) this.mark(key, true)
        return result
      }
    }
  }

  private changed(row: DocumentRow, exists: boolean): void {
    this.mark(row.key, exists)
    const document = this.documents.get(row.key)
    if (document !== undefined && document.state.get().status !== "loading") document.changedOutside(null)
  }

  private mark(key: string, exists: boolean): void {
    const { rows } = this.state.get()
    if (!rows.some((row) => row.key === key && row.exists !== exists)) return
    this.state.set({ ...this.state.get(), rows: rows.map((row) => (row.key === key ? { ...row, exists } : row)) })
  }
}
