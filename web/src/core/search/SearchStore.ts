import type { Absent, Shown } from "../../../../src/contract/looseFields.ts"
import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type * as Answers from "../../../../src/contract/schema/search.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, ApiFailure } from "../link/apiTypes.ts"
import { type SearchSurroundings, searchAddress, searchQuery } from "./searchQuery.ts"

/** Something found, and where it is. */
export type SearchHit = Shown<Answers.SearchHit>

/** One answer to a search. */
interface SearchPage {
  readonly hits: ReadonlyArray<SearchHit>
  /** Continues after the last hit; null at the end. */
  readonly cursor: string | null
  /** Words that may have been meant, where nothing was found. */
  readonly nearest: ReadonlyArray<Answers.NearestWords>
  readonly isBuilding: boolean
  /** How far the index is, from 0 to 1; null if nobody knows. */
  readonly progress: number | null
  /** Why nothing new is taken into the index, in a sentence; null if it is. */
  readonly paused: string | null
}

const NOT_IN_HIT: Absent<Answers.SearchHit> = {
  agent: null,
  sessionKey: null,
  sessionTitle: null,
  messageId: null,
  taskId: null,
  title: null,
  path: null,
  role: null
}

const hitOf = (hit: Answers.SearchHit): SearchHit => ({
  ...NOT_IN_HIT,
  ...hit,
  sessionKey: hit.sessionKey === undefined ? null : qualifiedKey(hit.gatewayId || PRIMARY, hit.sessionKey)
})

/** Reads the answer to a search. */
export const readSearch = ({
  cursor,
  hits,
  nearest = [],
  paused,
  progress,
  state
}: Answers.SearchPage): SearchPage => ({
  hits: hits.map(hitOf),
  cursor: cursor ?? null,
  nearest,
  isBuilding: state === "building",
  progress: progress ?? null,
  paused: paused ?? null
})

/** Milliseconds without a key before the server is asked. */
export const PAUSE_MS = 250
/** Hits per page. */
const LIMIT = 30
/** Milliseconds between looks at an index that is being built, or paused. */
const BUILDING_MS = 3_000

export interface SearchState {
  /** What is written in the field. */
  readonly text: string
  /** `idle` while there is nothing to look for; earlier hits stay while new ones are being loaded. */
  readonly status: "idle" | "loading" | "ready" | "failed"
  readonly hits: ReadonlyArray<SearchHit>
  /** The words and filters that the hits are for; null for none. */
  readonly shown: string | null
  readonly problem: string | null
  readonly cursor: string | null
  /** Words that may have been meant, where nothing was found. */
  readonly nearest: ReadonlyArray<Answers.NearestWords>
  readonly isLoadingMore: boolean
  /** Not everything is in the index yet. */
  readonly isBuilding: boolean
  readonly progress: number | null
  /** Why nothing new is taken into the index, in a sentence; null if it is. */
  readonly paused: string | null
}

const EMPTY: SearchState = {
  text: "",
  status: "idle",
  hits: [],
  shown: null,
  problem: null,
  cursor: null,
  nearest: [],
  isLoadingMore: false,
  isBuilding: false,
  progress: null,
  paused: null
}

export interface SearchStoreOptions {
  readonly api: Pick<ApiClient, "request">
  readonly around: () => SearchSurroundings
  readonly limit?: number
}

export interface SearchStore {
  readonly state: Readable<SearchState>
  /** Takes what is being typed, and searches after a pause. */
  type(text: string): void
  /** Searches at once, unless this is what was asked last. */
  search(text: string): Promise<void>
  /** Asks again after a failure. */
  retry(): Promise<void>
  /** Loads the hits after the last one. */
  more(): Promise<void>
  /** Follows an index that is being built or paused until the returned function is called. */
  watch(): () => void
}

/** One search as it is typed: asks after a pause, and ignores answers to what isn't written any more. */
export function createSearchStore({ api, around, limit = LIMIT }: SearchStoreOptions): SearchStore {
  const state = createObservable<SearchState>(EMPTY)
  let timer: ReturnType<typeof setTimeout> | undefined
  let flight = new AbortController()
  /** The address of the last question, which answers it by itself. */
  let asked: string | null = null
  let watchers = 0

  async function retry(): Promise<void> {
    if (asked === null) return
    set({ status: "loading" })
    await ask()
  }

  const set = (change: Partial<SearchState>) => state.set({ ...state.get(), ...change })

  function addressOf(text: string): string | null {
    const query = searchQuery(text, around())
    return query.words === "" ? null : searchAddress(query, limit)
  }

  /** Whatever was asked for another text has no meaning from here. */
  function take(text: string): void {
    clearTimeout(timer)
    flight.abort()
    flight = new AbortController()
    asked = addressOf(text)
    if (asked === null) {
      const { isBuilding, progress, paused } = state.get()
      state.set({ ...EMPTY, text, isBuilding, progress, paused })
    } else {
      set({ text, status: "loading", problem: null, isLoadingMore: false })
    }
  }

  function later(run: () => void, ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }

  const request = (address: string | null, signal: AbortSignal) =>
    api.request("GET", address ?? "", readSearch, { signal })

  async function ask(): Promise<void> {
    clearTimeout(timer)
    const { signal } = flight
    const { text } = state.get()
    const result = await request(asked, signal)
    if (signal.aborted) return
    if (result.ok) show(text, result.value)
    else fail(result.error)
  }

  function show(text: string, page: SearchPage): void {
    set({ ...page, status: "ready", shown: text, problem: null })
    followBuilding()
  }

  function fail(error: ApiFailure): void {
    set({ status: "failed", problem: error.message, hits: [], shown: null, cursor: null })
    if (error.retryAfterMs !== null) later(() => void retry(), error.retryAfterMs)
  }

  function followBuilding(): void {
    const { isBuilding, paused, status } = state.get()
    if ((isBuilding || paused !== null) && status === "ready") later(() => void look(), BUILDING_MS)
  }

  /** Looks whether the index has grown; hits that were asked for beyond the first page stay. */
  async function look(): Promise<void> {
    if (watchers === 0) return
    const { signal } = flight
    const { text, hits } = state.get()
    const isFirstPage = hits.length <= limit
    const result = await request(asked, signal)
    if (signal.aborted) return
    if (result.ok && isFirstPage && state.get().hits === hits) return show(text, result.value)
    if (result.ok) {
      const { isBuilding, progress, paused } = result.value
      set({ isBuilding, progress, paused })
    }
    followBuilding()
  }

  return {
    state,
    type: (text) => {
      if (text === state.get().text) return
      take(text)
      if (asked !== null) later(() => void ask(), PAUSE_MS)
    },
    search: async (text) => {
      const address = addressOf(text)
      if (address !== null && address === asked && state.get().status === "ready") return set({ text, shown: text })
      take(text)
      if (asked !== null) await ask()
    },
    retry,
    more: async () => {
      const { cursor, isLoadingMore, status } = state.get()
      if (cursor === null || isLoadingMore || status !== "ready") return
      set({ isLoadingMore: true, problem: null })
      const { signal } = flight
      const result = await request(`${asked}&cursor=${encodeURIComponent(cursor)}`, signal)
      if (signal.aborted) return
      if (!result.ok) return set({ isLoadingMore: false, problem: result.error.message })
      const { hits, ...page } = result.value
      set({ ...page, hits: [...state.get().hits, ...hits], isLoadingMore: false })
    },
    watch: () => {
      watchers++
      followBuilding()
      let stopped = false
      return () => {
        if (stopped) return
        stopped = true
        watchers--
      }
    }
  }
}
