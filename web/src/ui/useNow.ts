import { type Signal, useSignal, useVisibleTask$ } from "@builder.io/qwik"

/** The present time in epoch milliseconds, renewed every `everyMs`. */
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
