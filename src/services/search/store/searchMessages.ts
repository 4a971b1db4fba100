import type { StoreFault } from "../../platform/sqlite/storeFault.ts"
import type { TranscriptFolder } from "../../transcripts/transcriptFolders.ts"
import type { SearchEntry, SearchFinds, SearchOrder, SearchPlace } from "../searchTypes.ts"

/** How far a step of something long has come. */
export interface SearchStep {
  readonly isDone: boolean
  /** From 0 to 1. */
  readonly progress: number
}

/** An index that was opened. */
export interface OpenedIndex {
  /** Whether everything has been read into it once. */
  readonly isComplete: boolean
  /** Why a file that was there was replaced, if it was. */
  readonly replaced: StoreFault["reason"] | undefined
}

/** What's in the index. */
export interface SearchCounts {
  readonly messages: number
  readonly documents: number
  readonly bytes: number
}

/** The search thread's operations by name; run one at a time, in order, and each takes a moment only. */
export interface SearchStore {
  /** Opens the index; one that can't be used is replaced. */
  readonly open: (path: string, now: string, keepsTools: boolean) => OpenedIndex
  /** Removes the files; the next `open` begins anew. */
  readonly drop: () => void
  /** Whether the file is still the one that was opened. */
  readonly isThere: () => boolean
  /** Fails while the disk has too little room for the index to grow. */
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
  /** The number that the next entry gets; to tell what was added later. */
  readonly nextAdded: () => number
  /** Removes messages of a conversation that aren't among these and were there before `added`. */
  readonly keepOnly: (place: SearchPlace, keys: ReadonlyArray<string>, added: number) => void
  /** Up to when each conversation's history was read, by its key; `null` if never. */
  readonly conversations: (gatewayId: string) => ReadonlyMap<string, number | null>
  readonly setReadTo: (place: SearchPlace, readTo: number) => void
  readonly setTitles: (gatewayId: string, titles: ReadonlyArray<readonly [key: string, title: string]>) => void
  /** Stops keeping what tools returned, and removes it. */
  readonly dropTools: () => void
  /** Begins to look for changes in transcripts. */
  readonly beginScan: (gatewayId: string, folders: ReadonlyArray<TranscriptFolder>) => void
  readonly scan: (now: number) => SearchStep
  /** Frees the space of what was removed. */
  readonly tidy: () => SearchStep
  readonly counts: () => SearchCounts
}
