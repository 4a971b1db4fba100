import { type Signal, useVisibleTask$ } from "@builder.io/qwik"
import { afterFrames } from "../base/afterFrames.ts"

/** Keeps the current tab of a bar that scrolls in sight: a bar may be wider than a phone. */
export const useShownTab = (bar: Signal<HTMLElement | undefined>, current: () => string | null): void => {
  useVisibleTask$(
    ({ track }) => {
      track(current)
      // The tab is marked when the bar has been redrawn.
      afterFrames(2, () =>
        bar.value?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
      )
    },
    { strategy: "document-ready" }
  )
}
