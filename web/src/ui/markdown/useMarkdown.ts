import { createContextId, type Signal, useContextProvider, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { followPart, LOADS_LATER } from "../../base/followPart.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { say } from "../../core/language/say.ts"
import { loadMarkdown } from "../../core/text/loadMarkdown.ts"
import type { MarkdownRenderer } from "../../core/text/MarkdownRenderer.ts"

/** The chat's markdown renderer, null until its chunk has loaded. */
export const MarkdownContext = createContextId<Signal<MarkdownRenderer | null>>("agent-console.markdown")

/** Provides the markdown renderer to a screen's `MarkdownText`s, and redraws them when syntax highlighting is ready. */
export const useMarkdown = (): void => {
  const app = useServices()
  const renderer = useSignal<MarkdownRenderer | null>(null)
  useContextProvider(MarkdownContext, renderer)

  useBrowserTask$(({ cleanup }) => {
    const stop = followPart(
      app.client,
      loadMarkdown,
      (loaded) => {
        renderer.value = loaded
        const stopColours = loaded.onColours(() => {
          // A new object, so that every text is redrawn.
          renderer.value = { ...loaded }
        })
        cleanup(stopColours)
      },
      () => app.notices.show("error", say("Couldn't load formatting. {advice}", { advice: LOADS_LATER }))
    )
    cleanup(stop)
  })
}
