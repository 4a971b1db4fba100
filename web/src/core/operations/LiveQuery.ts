import { Observable } from "../Observable.ts"
import type { ApiResult } from "../types.ts"

/** What a screen knows of a thing it asked the server for. */
export interface QueryState<A> {
  /** The last good answer; null until there is one. */
  readonly value: A | null
  /** Why the last question failed, in a sentence; an older `value` may still be shown. */
  readonly problem: string | null
  /** A question is under way. */
  readonly busy: boolean
  /** Epoch milliseconds of the last good answer. */
  readonly at: number | null
}

/** Calls back when the thing may have changed, until the returned function is called. */
export type Source = (changed: () => void) => () => void

export interface LiveQueryOptions<A> {
  readonly load: () => Promise<ApiResult<A>>
  readonly now: () => number
  /** What tells that the answer is out of date; listened to while somebody looks. */
  readonly sources?: ReadonlyArray<Source>
  /** Changes that come closer together than this are asked about once, in milliseconds. */
  readonly gapMs?: number
}

const GAP_MS = 1_000

/** A question to the server whose answer is kept in step with events while at least one screen looks. Never polls. */
export class LiveQuery<A> {
  readonly state = new Observable<QueryState<A>>({ value: null, problem: null, busy: false, at: null })
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

  /** Keeps the answer in step until the returned function is called; asks at once. */
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

  /** Asks now; who asks while a question is under way gets an answer that is newer than their asking. */
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

  /** Asks once the gap since the last question is over. */
  soon(): void {
    if (this.flight !== null) {
      this.again = true
      return
    }
    clearTimeout(this.timer)
    const wait = Math.max(50, this.askedAt + (this.options.gapMs ?? GAP_MS) - this.options.now())
    this.timer = setTimeout(() => void this.refresh(), wait)
  }

  /** Changes the shown answer ahead of the server's, such as after a click. */
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
