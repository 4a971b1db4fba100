import { type ReadonlySignal, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "./useBrowserTask.ts"

/** Where the page has one column, as in the style sheets. */
export const NARROW = "(max-width: 760px)"

/** Whether a media query holds, also when that changes. */
export const useMedia = (query: string): ReadonlySignal<boolean> => {
  const holds = useSignal(() => window.matchMedia(query).matches)
  useBrowserTask$(({ cleanup }) => {
    const media = window.matchMedia(query)
    const change = () => {
      holds.value = media.matches
    }
    media.addEventListener("change", change)
    cleanup(() => media.removeEventListener("change", change))
  })
  return holds
}
