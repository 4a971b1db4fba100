import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, listOf, parseJson } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { FileMove } from "./FileTreeStore.ts"
import { type FileKind, kindOfFile } from "./fileKinds.ts"
import { movedPath, nameOf } from "./fileNodes.ts"
import { fileSource, pathOfKey } from "./fileSource.ts"
import { TextDocument } from "./TextDocument.ts"
import type { TextDrafts } from "./TextDrafts.ts"

const KEY = "agent-console:open-files"
const MAX_TABS = 30

/** A file open in a tab. */
export interface OpenTab {
  readonly path: string
  /** How it is shown now; a picture that is text (SVG) can be shown as either. */
  readonly kind: FileKind
  readonly document: TextDocument
}

export interface OpenFilesState {
  readonly tabs: ReadonlyArray<OpenTab>
  /** Path of the current tab; null for none. */
  readonly active: string | null
}

/** The files open in tabs, restored after a reload with their unsaved text. */
export class OpenFiles {
  readonly state = createObservable<OpenFilesState>({ tabs: [], active: null })
  private readonly api: ApiClient
  private readonly drafts: TextDrafts
  private readonly storage: KeyValueStorage

  constructor(api: ApiClient, events: EventStream, drafts: TextDrafts, storage: KeyValueStorage) {
    this.api = api
    this.drafts = drafts
    this.storage = storage
    const saved = listOf(parseJson(storage.getItem(KEY) ?? "")).filter((path) => typeof path === "string")
    const unsaved = drafts.state.get().flatMap((key) => pathOfKey(key) ?? [])
    const tabs = [...new Set([...saved, ...unsaved])].map((path) => this.makeTab(path))
    this.state.set({ tabs, active: null })
    for (const { path, document } of tabs) if (unsaved.includes(path)) void document.load()
    events.on("file.changed", ({ data }) => this.changed(data))
    events.connected.subscribe((isUp) => {
      if (isUp) this.lookAgain()
    })
  }

  find(path: string): OpenTab | undefined {
    return this.state.get().tabs.find((tab) => tab.path === path)
  }

  /** Files with unsaved text. */
  unsaved(): ReadonlyArray<OpenTab> {
    return this.state.get().tabs.filter(({ document }) => document.state.get().dirty)
  }

  /** Shows a file, in its tab if it has one. */
  show(path: string | null): void {
    const { tabs, active } = this.state.get()
    if (path === null || this.find(path) !== undefined) {
      if (path !== active) this.publish({ active: path })
    } else this.publish({ tabs: this.withRoom([...tabs, this.makeTab(path)]), active: path })
    const tab = path === null ? undefined : this.find(path)
    if (tab?.kind === "text") void tab.document.load()
  }

  /** Closes a tab and discards unsaved text in it. Returns the tab to show next. */
  close(path: string): string | null {
    const { tabs, active } = this.state.get()
    const index = tabs.findIndex((tab) => tab.path === path)
    const closed = tabs[index]
    if (closed === undefined) return active
    closed.document.discard()
    closed.document.dispose()
    const left = tabs.filter((tab) => tab !== closed)
    const next = active === path ? ((left[index] ?? left[index - 1])?.path ?? null) : active
    this.publish({ tabs: left, active: next })
    return next
  }

  /** Shows a file in another way. */
  showAs(path: string, kind: FileKind): void {
    this.publish({ tabs: this.state.get().tabs.map((tab) => (tab.path === path ? { ...tab, kind } : tab)) })
    if (kind === "text") void this.find(path)?.document.load()
  }

  /** Tabs follow files that were renamed, moved or deleted on this page. */
  follow({ from, to }: FileMove): void {
    const { tabs, active } = this.state.get()
    if (to === null) {
      const gone = tabs.filter(({ path }) => movedPath(path, from, "") !== path)
      for (const { document } of gone) document.changedOutside(null)
      return
    }
    const moved = tabs.map((tab): OpenTab => {
      const path = movedPath(tab.path, from, to)
      if (path === tab.path) return tab
      tab.document.relocate(fileSource(this.api, path))
      return { ...tab, path }
    })
    this.publish({ tabs: moved, active: active === null ? null : movedPath(active, from, to) })
  }

  /** Stores all unsaved text so that it survives the page. */
  keep(): void {
    for (const { document } of this.unsaved()) document.keep()
  }

  /** The page was away: what is on screen may be outdated. */
  lookAgain(): void {
    const { active, tabs } = this.state.get()
    for (const { path, document } of tabs) {
      // What was never read, such as a picture, isn't text; what is being read is new anyway.
      const { status, dirty } = document.state.get()
      if ((path === active && status !== "loading") || dirty) document.changedOutside(null)
    }
  }

  private changed(data: unknown): void {
    const { path: changed, mtime } = fieldsOf<EventData["file.changed"]>(data)
    if (typeof changed !== "string") return
    const version = typeof mtime === "number" ? String(mtime) : null
    for (const { path, document } of this.state.get().tabs) {
      const isIt = path === changed
      // A folder on its path may have come or gone with the file in it.
      if (!isIt && !path.startsWith(`${changed}/`)) continue
      if (document.state.get().status !== "loading") document.changedOutside(isIt ? version : null)
    }
  }

  private makeTab(path: string): OpenTab {
    const document = new TextDocument(fileSource(this.api, path), this.drafts, () => Date.now())
    return { path, kind: kindOfFile(nameOf(path)), document }
  }

  /** If there are too many tabs, the oldest close; never one with unsaved text. */
  private withRoom(tabs: ReadonlyArray<OpenTab>): ReadonlyArray<OpenTab> {
    if (tabs.length <= MAX_TABS) return tabs
    const oldest = tabs.find(({ document }) => !document.state.get().dirty)
    oldest?.document.dispose()
    return tabs.filter((tab) => tab !== oldest)
  }

  private publish(change: Partial<OpenFilesState>): void {
    this.state.set({ ...this.state.get(), ...change })
    try {
      this.storage.setItem(KEY, JSON.stringify(this.state.get().tabs.map(({ path }) => path)))
    } catch {
      // The tabs stay in the page.
    }
  }
}
