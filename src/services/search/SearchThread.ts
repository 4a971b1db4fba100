import { Effect } from "effect"
import type { StoreFault } from "../platform/sqlite/storeFault.ts"
import { type AskThread, makeStoreThread } from "../platform/thread/storeThread.ts"
import type { TranscriptFolder } from "../transcripts/transcriptFolders.ts"
import { anewText } from "./searchErrors.ts"
import type { SearchEntry, SearchFinds, SearchOrder, SearchPlace } from "./searchTypes.ts"

/** The result of one step of a long operation. */
export interface SearchStep {
  readonly isDone: boolean
  /** From 0 to 1. */
  readonly progress: number
}

/** The state of an opened index. */
export interface OpenedIndex {
  /** Whether all sources have been read once. */
  readonly isComplete: boolean
  /** Why an existing file was replaced, if it was. */
  readonly replaced: StoreFault["reason"] | undefined
}

/** The size of the index. */
export interface SearchCounts {
  readonly messages: number
  readonly documents: number
  readonly bytes: number
}

/** The search thread's operations by name; they run one at a time, in order, and each is short. */
export interface SearchStore {
  /** Opens the index; one that can't be used is replaced. */
  readonly open: (path: string, now: string, keepsTools: boolean) => OpenedIndex
  /** Removes the files; the next `open` creates a new index. */
  readonly drop: () => void
  /** Whether the opened file is still at its path. */
  readonly isThere: () => boolean
  /** Fails while the disk has too little free space for the index to grow. */
  readonly checkRoom: () => void
  /** Whether everything has been read once. */
  readonly isComplete: () => boolean
  readonly setComplete: () => void
  readonly search: (order: SearchOrder) => SearchFinds
  /** Adds entries, or replaces those that have changed. */
  readonly put: (entries: ReadonlyArray<SearchEntry>) => void
  /** The stamps of a place's entries by their key. */
  readonly stamps: (place: SearchPlace) => ReadonlyMap<string, string>
  /** Removes a place's entries. */
  readonly remove: (place: SearchPlace, keys: ReadonlyArray<string>) => void
  /** Removes a place with all its entries. */
  readonly forget: (place: SearchPlace) => void
  /** The number of the next entry; later entries have higher ones. */
  readonly nextAdded: () => number
  /** Removes messages of a conversation that aren't among these and were there before `added`. */
  readonly keepOnly: (place: SearchPlace, keys: ReadonlyArray<string>, added: number) => void
  /** Up to when each conversation's history was read, by its key; `null` if never. */
  readonly conversations: (gatewayId: string) => ReadonlyMap<string, number | null>
  readonly setReadTo: (place: SearchPlace, readTo: number) => void
  readonly setTitles: (gatewayId: string, titles: ReadonlyArray<readonly [key: string, title: string]>) => void
  /** Stops indexing tool output and removes it. */
  readonly dropTools: () => void
  /** Starts a scan of transcripts for changes. */
  readonly beginScan: (gatewayId: string, folders: ReadonlyArray<TranscriptFolder>) => void
  readonly scan: (now: number) => SearchStep
  /** Frees the space of removed entries. */
  readonly tidy: () => SearchStep
  readonly counts: () => SearchCounts
}

/** In the sources, the thread's file is below this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./store/searchThread.ts" : "../searchThread.js",
  import.meta.url
)

/** Sends the thread a request. */
export type AskSearch = AskThread<SearchStore>

/** The thread with the index at `path`; `onOpen` is called at each opening of the file. */
export const makeSearchThread = (
  path: string,
  keepsTools: Effect.Effect<boolean>,
  onOpen: (opened: OpenedIndex) => Effect.Effect<void> = () => Effect.void
) =>
  makeStoreThread<SearchStore>({
    name: "search",
    script: SCRIPT,
    open: (ask, now) =>
      keepsTools.pipe(
        Effect.flatMap((keeps) => ask("open", path, now, keeps)),
        Effect.tap(({ replaced }) =>
          replaced === undefined
            ? Effect.void
            : Effect.logWarning(`The search index is being rebuilt because ${anewText(replaced)}`)
        ),
        Effect.flatMap(onOpen)
      ),
    idleFor: "30 seconds"
  })
