import { createObservable, type Readable } from "../common/Observable.ts"

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

export interface LiveQuery<A> {
  readonly state: Readable<QueryState<A>>
  /** Keeps the response current until the returned function is called; requests it at once. */
  open(): () => void
  /** Requests it now; a call during a request gets a response newer than the call. */
  refresh(): Promise<void>
  /** Requests it once enough time has passed since the last request. */
  soon(): void
  /** Changes the shown response ahead of the server's, for example after a click. */
  patch(change: (value: A) => A): void
}

/** A server request whose response is kept current by events while at least one screen is looking. Never polls. */
export function createLiveQuery<A>({ gapMs = GAP_MS, load, now, sources = [] }: LiveQueryOptions<A>): LiveQuery<A> {
  const state = createObservable<QueryState<A>>({ value: null, problem: null, busy: false, at: null })
  let watchers = 0
  let stops: ReadonlyArray<() => void> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let flight: Promise<void> | null = null
  let again = false
  let askedAt = Number.NEGATIVE_INFINITY

  function refresh(): Promise<void> {
    if (flight !== null) {
      again = true
      return flight
    }
    clearTimeout(timer)
    flight = ask().finally(() => {
      flight = null
    })
    return flight
  }

  function soon(): void {
    if (flight !== null) {
      again = true
      return
    }
    clearTimeout(timer)
    const wait = Math.max(50, askedAt + gapMs - now())
    timer = setTimeout(() => void refresh(), wait)
  }

  async function ask(): Promise<void> {
    do {
      again = false
      askedAt = now()
      state.set({ ...state.get(), busy: true })
      const result = await load()
      if (result.ok) {
        state.set({ value: result.value, problem: null, busy: false, at: now() })
        continue
      }
      state.set({ ...state.get(), problem: result.error.message, busy: false })
      const { retryAfterMs } = result.error
      if (retryAfterMs !== null && watchers > 0) {
        clearTimeout(timer)
        timer = setTimeout(() => void refresh(), retryAfterMs)
      }
      return
    } while (again)
  }

  return {
    state,
    open: () => {
      if (watchers++ === 0) stops = sources.map((source) => source(() => soon()))
      void refresh()
      let closed = false
      return () => {
        if (closed) return
        closed = true
        if (--watchers > 0) return
        clearTimeout(timer)
        for (const stop of stops) stop()
        stops = []
      }
    },
    refresh,
    soon,
    patch: (change) => {
      const known = state.get()
      if (known.value !== null) state.set({ ...known, value: change(known.value) })
    }
  }
}
