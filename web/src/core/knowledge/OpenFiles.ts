import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { listOf, parseJson } from "../../../../src/contract/looseFields.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { FileMove } from "./FileTreeStore.ts"
import { type FileKind, kindOfFile } from "./fileKinds.ts"
import { movedPath, nameOf } from "./fileNodes.ts"
import { fileSource, pathOfKey } from "./fileSource.ts"
import { createTextDocument, type TextDocument } from "./TextDocument.ts"
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

export interface OpenFiles {
  readonly state: Readable<OpenFilesState>
  find(path: string): OpenTab | undefined
  /** Files with unsaved text. */
  unsaved(): ReadonlyArray<OpenTab>
  /** Shows a file, in its tab if it has one. */
  show(path: string | null): void
  /** Closes a tab and discards unsaved text in it. Returns the tab to show next. */
  close(path: string): string | null
  /** Shows a file in another way. */
  showAs(path: string, kind: FileKind): void
  /** Tabs follow files that were renamed, moved or deleted on this page. */
  follow(move: FileMove): void
  /** Stores all unsaved text so that it survives the page. */
  keep(): void
  /** The page was away: what is on screen may be outdated. */
  lookAgain(): void
}

/** The files open in tabs, restored after a reload with their unsaved text. */
export function createOpenFiles(
  api: ApiClient,
  events: EventStream,
  drafts: TextDrafts,
  storage: KeyValueStorage
): OpenFiles {
  const state = createObservable<OpenFilesState>({ tabs: [], active: null })

  const find = (path: string): OpenTab | undefined => state.get().tabs.find((tab) => tab.path === path)

  const unsaved = (): ReadonlyArray<OpenTab> => state.get().tabs.filter(({ document }) => document.state.get().dirty)

  function lookAgain(): void {
    const { active, tabs } = state.get()
    for (const { path, document } of tabs) {
      // What was never read, such as a picture, isn't text; what is being read is new anyway.
      const { status, dirty } = document.state.get()
      if ((path === active && status !== "loading") || dirty) document.changedOutside(null)
    }
  }

  function changed({ path: changed, mtime }: EventData["file.changed"]): void {
    for (const { path, document } of state.get().tabs) {
      const isIt = path === changed
      // A folder on its path may have come or gone with the file in it.
      if (!isIt && !path.startsWith(`${changed}/`)) continue
      if (document.state.get().status !== "loading") document.changedOutside(isIt ? String(mtime) : null)
    }
  }

  function makeTab(path: string): OpenTab {
    const document = createTextDocument(fileSource(api, path), drafts, () => Date.now())
    return { path, kind: kindOfFile(nameOf(path)), document }
  }

  /** If there are too many tabs, the oldest close; never one with unsaved text. */
  function withRoom(tabs: ReadonlyArray<OpenTab>): ReadonlyArray<OpenTab> {
    if (tabs.length <= MAX_TABS) return tabs
    const oldest = tabs.find(({ document }) => !document.state.get().dirty)
    oldest?.document.dispose()
    return tabs.filter((tab) => tab !== oldest)
  }

  function publish(change: Partial<OpenFilesState>): void {
    state.set({ ...state.get(), ...change })
    try {
      storage.setItem(KEY, JSON.stringify(state.get().tabs.map(({ path }) => path)))
    } catch {
      // The tabs stay in the page.
    }
  }

  const saved = listOf(parseJson(storage.getItem(KEY) ?? "")).filter((path) => typeof path === "string")
  const drafted = drafts.state.get().flatMap((key) => pathOfKey(key) ?? [])
  const tabs = [...new Set([...saved, ...drafted])].map((path) => makeTab(path))
  state.set({ tabs, active: null })
  for (const { path, document } of tabs) if (drafted.includes(path)) void document.load()
  events.on("file.changed", ({ data }) => changed(data))
  events.connected.subscribe((isUp) => {
    if (isUp) lookAgain()
  })

  return {
    state,
    find,
    unsaved,
    show: (path) => {
      const { tabs, active } = state.get()
      if (path === null || find(path) !== undefined) {
        if (path !== active) publish({ active: path })
      } else publish({ tabs: withRoom([...tabs, makeTab(path)]), active: path })
      const tab = path === null ? undefined : find(path)
      if (tab?.kind === "text") void tab.document.load()
    },
    close: (path) => {
      const { tabs, active } = state.get()
      const index = tabs.findIndex((tab) => tab.path === path)
      const closed = tabs[index]
      if (closed === undefined) return active
      closed.document.discard()
      closed.document.dispose()
      const left = tabs.filter((tab) => tab !== closed)
      const next = active === path ? ((left[index] ?? left[index - 1])?.path ?? null) : active
      publish({ tabs: left, active: next })
      return next
    },
    showAs: (path, kind) => {
      publish({ tabs: state.get().tabs.map((tab) => (tab.path === path ? { ...tab, kind } : tab)) })
      if (kind === "text") void find(path)?.document.load()
    },
    follow: ({ from, to }) => {
      const { tabs, active } = state.get()
      if (to === null) {
        const gone = tabs.filter(({ path }) => movedPath(path, from, "") !== path)
        for (const { document } of gone) document.changedOutside(null)
        return
      }
      const moved = tabs.map((tab): OpenTab => {
        const path = movedPath(tab.path, from, to)
        if (path === tab.path) return tab
        tab.document.relocate(fileSource(api, path))
        return { ...tab, path }
      })
      publish({ tabs: moved, active: active === null ? null : movedPath(active, from, to) })
    },
    keep: () => {
      for (const { document } of unsaved()) document.keep()
    },
    lookAgain
  }
}
