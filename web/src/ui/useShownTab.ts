import type { Signal } from "@builder.io/qwik"
import { afterFrames } from "../base/afterFrames.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"

/** Only the bar scrolls, not a page that it is far down on; a browser that doesn't know `container` scrolls both. */
const INTO_SIGHT = { block: "nearest", inline: "nearest", container: "nearest" } as const

/** Keeps the current tab of a bar that scrolls in sight: a bar may be wider than a phone. */
export const useShownTab = (bar: Signal<HTMLElement | undefined>, current: () => string | null): void => {
  useBrowserTask$(({ track }) => {
    track(current)
    // The tab is marked when the bar has been redrawn.
    afterFrames(2, () => bar.value?.querySelector("[aria-current]")?.scrollIntoView(INTO_SIGHT))
  })
}
