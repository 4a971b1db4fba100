import { type ReadonlySignal, useSignal, useVisibleTask$ } from "@builder.io/qwik"

/** Where the page has one column, as in the style sheets. */
const NARROW = "(max-width: 760px)"

/** Whether the page has the width of a phone. */
export const useNarrow = (): ReadonlySignal<boolean> => {
  const isNarrow = useSignal(() => window.matchMedia(NARROW).matches)
  useVisibleTask$(
    ({ cleanup }) => {
      const media = window.matchMedia(NARROW)
      const change = () => {
        isNarrow.value = media.matches
      }
      media.addEventListener("change", change)
      cleanup(() => media.removeEventListener("change", change))
    },
    { strategy: "document-ready" }
  )
  return isNarrow
}
