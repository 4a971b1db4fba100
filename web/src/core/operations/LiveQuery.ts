import { createObservable } from "../common/Observable.ts"
import type { ApiResult } from "../link/apiTypes.ts"

/** What a screen knows of something it requested from the server. */
export interface QueryState<A> {
  /** The last good response; null until there is one. */
  readonly value: A | null
  /** Why the last request failed, in a sentence; an older `value` may still be shown. */
  readonly problem: string | null
  /** A request is in progress. */
  readonly busy: boolean
  /** Epoch milliseconds of the last good response. */
  readonly at: number | null
}

/** Calls back when the value may have changed, until the returned function is called. */
export type Source = (changed: () => void) => () => void

export interface LiveQueryOptions<A> {
  readonly load: () => Promise<ApiResult<A>>
  readonly now: () => number
  /** Signals that the response is outdated; only listened to while someone is looking. */
  readonly sources?: ReadonlyArray<Source>
  /** Minimum milliseconds between requests caused by changes. */
  readonly gapMs?: number
}

const GAP_MS = 1_000

/** A server request whose response is kept current by events while at least one screen is looking. Never polls. */
export class LiveQuery<A> {
  readonly state = createObservable<QueryState<A>>({ value: null, problem: null, busy: false, at: null })
  private readonly options: LiveQueryOptions<A>
  private watchers = 0
  private stops: ReadonlyArray<() => void> = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private flight: Promise<void> | null = null
  private again = false
  private askedAt = Number.NEGATIVE_INFINITY

  constructor(options: LiveQueryOptions<A>) {
    this.options = options
  }

  /** Keeps the response current until the returned function is called; requests it at once. */
  open(): () => void {
    if (this.watchers++ === 0) this.stops = (this.options.sources ?? []).map((source) => source(() => this.soon()))
    void this.refresh()
    let closed = false
    return () => {
      if (closed) return
      closed = true
      if (--this.watchers > 0) return
      clearTimeout(this.timer)
      for (const stop of this.stops) stop()
      this.stops = []
    }
  }

  /** Requests it now; a call during a request gets a response newer than the call. */
  refresh(): Promise<void> {
    if (this.flight !== null) {
      this.again = true
      return this.flight
    }
    clearTimeout(this.timer)
    this.flight = this.ask().finally(() => {
      this.flight = null
    })
    return this.flight
  }

  /** Requests it once enough time has passed since the last request. */
  soon(): void {
    if (this.flight !== null) {
      this.again = true
      return
    }
    clearTimeout(this.timer)
    const wait = Math.max(50, this.askedAt + (this.options.gapMs ?? GAP_MS) - this.options.now())
    this.timer = setTimeout(() => void this.refresh(), wait)
  }

  /** Changes the shown response ahead of the server's, for example after a click. */
  patch(change: (value: A) => A): void {
    const state = this.state.get()
    if (state.value !== null) this.state.set({ ...state, value: change(state.value) })
  }

  private async ask(): Promise<void> {
    do {
      this.again = false
      this.askedAt = this.options.now()
      this.state.set({ ...this.state.get(), busy: true })
      const result = await this.options.load()
      if (result.ok) {
        this.state.set({ value: result.value, problem: null, busy: false, at: this.options.now() })
        continue
      }
      this.state.set({ ...this.state.get(), problem: result.error.message, busy: false })
      const { retryAfterMs } = result.error
      if (retryAfterMs !== null && this.watchers > 0) {
        clearTimeout(this.timer)
        this.timer = setTimeout(() => void this.refresh(), retryAfterMs)
      }
      return
    } while (this.again)
  }
}
