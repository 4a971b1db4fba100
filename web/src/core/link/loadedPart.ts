import type { ActionResult } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { EventStream } from "./apiTypes.ts"

/** What people are told when a lazily loaded part of the page doesn't arrive. */
export const NOT_LOADED = {
  ok: false,
  message: say("Couldn't load this part of the page. Reload it and try again.")
} as const

/** A part of the page that no first screen waits for. */
export interface LoadedPart<A> {
  /** Rejects while its chunk can't be loaded. */
  load(): Promise<A>
  /** Does something with it that either works or fails with a sentence. */
  act<B>(action: (part: A) => Promise<ActionResult<B>>): Promise<ActionResult<B>>
  dispose(): void
}

/** Loads a part with the first connection to the console; if that fails, the next connection or use tries again. */
export function loadedPart<A extends { dispose(): void }>(
  { connected }: Pick<EventStream, "connected">,
  make: () => Promise<A>
): LoadedPart<A> {
  let loading: Promise<A> | undefined

  function load(): Promise<A> {
    // A moment later: what subscribes while subscribers are called would be called as well.
    loading ??= Promise.resolve()
      .then(make)
      .catch((reason) => {
        loading = undefined
        throw reason
      })
    return loading
  }

  const start = (up: boolean) => {
    if (up) load().catch(() => {})
  }
  const stop = connected.subscribe(start)
  start(connected.get())

  return {
    load,
    act: (action) => load().then(action, () => NOT_LOADED),
    dispose: () => {
      stop()
      loading?.then(
        (part) => part.dispose(),
        () => {}
      )
    }
  }
}
