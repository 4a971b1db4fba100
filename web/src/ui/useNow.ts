import { type Signal, useSignal, useVisibleTask$ } from "@builder.io/qwik"

/** The current time in epoch milliseconds, updated every `everyMs`. */
export const useNow = (everyMs: number): Signal<number> => {
  const now = useSignal(() => Date.now())
  useVisibleTask$(
    ({ cleanup }) => {
      const timer = setInterval(() => {
        now.value = Date.now()
      }, everyMs)
      cleanup(() => clearInterval(timer))
    },
    { strategy: "document-ready" }
  )
  return now
}
