import { useContextProvider, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { loadMarkdown } from "../core/loadMarkdown.ts"
import type { MarkdownRenderer } from "../core/textTypes.ts"
import { MarkdownContext } from "./MarkdownContext.ts"

/** Provides the markdown renderer to the `MarkdownText`s of a screen, and draws them again when code can be coloured. */
export const useMarkdown = (): void => {
  const app = useServices()
  const renderer = useSignal<MarkdownRenderer | null>(null)
  useContextProvider(MarkdownContext, renderer)

  useVisibleTask$(
    ({ cleanup }) => {
      let ended = false
      cleanup(() => {
        ended = true
      })
      loadMarkdown().then(
        (loaded) => {
          if (ended) return
          renderer.value = loaded
          const stop = loaded.onColours(() => {
            // Another object, so that every text is drawn again.
            renderer.value = { ...loaded }
          })
          cleanup(stop)
        },
        () => app.notices.show("error", "Formatting could not be loaded. Reload the page to see it.")
      )
    },
    { strategy: "document-ready" }
  )
}
