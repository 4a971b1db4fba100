import { createObservable } from "../common/Observable.ts"
import type { ApiClient, ApiFailure } from "../link/apiTypes.ts"
import { decodeSearch } from "./decodeSearch.ts"
import { type SearchSurroundings, searchAddress, searchQuery } from "./searchQuery.ts"
import type { SearchHit, SearchPage } from "./searchTypes.ts"

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

/** One search as it is typed: asks after a pause, and ignores answers to what isn't written any more. */
export class SearchStore {
  readonly state = createObservable<SearchState>(EMPTY)
  private readonly options: SearchStoreOptions
  private timer: ReturnType<typeof setTimeout> | undefined
  private flight = new AbortController()
  /** The address of the last question, which answers it by itself. */
  private asked: string | null = null
  private watchers = 0

  constructor(options: SearchStoreOptions) {
    this.options = options
  }

  /** Takes what is being typed, and searches after a pause. */
  type(text: string): void {
    if (text === this.state.get().text) return
    this.take(text)
    if (this.asked !== null) this.later(() => void this.ask(), PAUSE_MS)
  }

  /** Searches at once, unless this is what was asked last. */
  async search(text: string): Promise<void> {
    const address = this.addressOf(text)
    if (address !== null && address === this.asked && this.state.get().status === "ready")
      return this.set({ text, shown: text })
    this.take(text)
    if (this.asked !== null) await this.ask()
  }

  /** Asks again after a failure. */
  async retry(): Promise<void> {
    if (this.asked === null) return
    this.set({ status: "loading" })
    await this.ask()
  }

  /** Loads the hits after the last one. */
  async more(): Promise<void> {
    const { cursor, isLoadingMore, status } = this.state.get()
    if (cursor === null || isLoadingMore || status !== "ready") return
    this.set({ isLoadingMore: true, problem: null })
    const { signal } = this.flight
    const result = await this.request(`${this.asked}&cursor=${encodeURIComponent(cursor)}`, signal)
    if (signal.aborted) return
    if (!result.ok) return this.set({ isLoadingMore: false, problem: result.error.message })
    const { hits, ...page } = result.value
    this.set({ ...page, hits: [...this.state.get().hits, ...hits], isLoadingMore: false })
  }

  /** Follows an index that is being built or paused until the returned function is called. */
  watch(): () => void {
    this.watchers++
    this.followBuilding()
    let stopped = false
    return () => {
      if (stopped) return
      stopped = true
      this.watchers--
    }
  }

  private set(change: Partial<SearchState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }

  private addressOf(text: string): string | null {
    const query = searchQuery(text, this.options.around())
    return query.words === "" ? null : searchAddress(query, this.options.limit ?? LIMIT)
  }

  /** Whatever was asked for another text has no meaning from here. */
  private take(text: string): void {
    clearTimeout(this.timer)
    this.flight.abort()
    this.flight = new AbortController()
    this.asked = this.addressOf(text)
    if (this.asked === null) {
      const { isBuilding, progress, paused } = this.state.get()
      this.state.set({ ...EMPTY, text, isBuilding, progress, paused })
    } else {
      this.set({ text, status: "loading", problem: null, isLoadingMore: false })
    }
  }

  private later(run: () => void, ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(run, ms)
  }

  private request(address: string | null, signal: AbortSignal) {
    return this.options.api.request("GET", address ?? "", decodeSearch, { signal })
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer)
    const { signal } = this.flight
    const { text } = this.state.get()
    const result = await this.request(this.asked, signal)
    if (signal.aborted) return
    if (result.ok) this.show(text, result.value)
    else this.fail(result.error)
  }

  private show(text: string, page: SearchPage): void {
    this.set({ ...page, status: "ready", shown: text, problem: null })
    this.followBuilding()
  }

  private fail(error: ApiFailure): void {
    this.set({ status: "failed", problem: error.message, hits: [], shown: null, cursor: null })
    if (error.retryAfterMs !== null) this.later(() => void this.retry(), error.retryAfterMs)
  }

  private followBuilding(): void {
    const { isBuilding, paused, status } = this.state.get()
    if ((isBuilding || paused !== null) && status === "ready") this.later(() => void this.look(), BUILDING_MS)
  }

  /** Looks whether the index has grown; hits that were asked for beyond the first page stay. */
  private async look(): Promise<void> {
    if (this.watchers === 0) return
    const { signal } = this.flight
    const { text, hits } = this.state.get()
    const isFirstPage = hits.length <= (this.options.limit ?? LIMIT)
    const result = await this.request(this.asked, signal)
    if (signal.aborted) return
    if (result.ok && isFirstPage && this.state.get().hits === hits) return this.show(text, result.value)
    if (result.ok) {
      const { isBuilding, progress, paused } = result.value
      this.set({ isBuilding, progress, paused })
    }
    this.followBuilding()
  }
}
