import { type Signal, useSignal } from "@builder.io/qwik"
import type { Readable } from "../core/common/Observable.ts"
import { useBrowserTask$ } from "./useBrowserTask.ts"

/**
 * Mirrors published state into a signal. With `perFrame` the signal updates once per animation frame, however often
 * the state changes in between. The readable must stay the same for the life of the component.
 */
export const useReadable = <T>(readable: Readable<T>, options?: { readonly perFrame?: boolean }): Signal<T> => {
  const signal = useSignal<T>(() => readable.get())
  const perFrame = options?.perFrame === true
  useBrowserTask$(({ cleanup }) => {
    const follow = () => {
      signal.value = readable.get()
    }
    let frame = 0
    const followPerFrame = () => {
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        follow()
      })
    }
    const stop = readable.subscribe(perFrame ? followPerFrame : follow)
    cleanup(() => {
      stop()
      cancelAnimationFrame(frame)
    })
    follow()
  })
  return signal
}
