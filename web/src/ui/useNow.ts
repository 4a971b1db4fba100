import { type Signal, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"

/** The current time in epoch milliseconds, updated every `everyMs`. */
export const useNow = (everyMs: number): Signal<number> => {
  const now = useSignal(() => Date.now())
  useBrowserTask$(({ cleanup }) => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, everyMs)
    cleanup(() => clearInterval(timer))
  })
  return now
}
