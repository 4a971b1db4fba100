import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "./ConsoleContext.ts"
import { useReadable } from "./useReadable.ts"

interface Parts {
  readonly Palette: Component
  readonly ShortcutSheet: Component
}

/** Where the palette and the sheet of shortcuts are drawn; their chunk comes with their first use. */
export const OverlayPlace = component$(() => {
  const app = useServices()
  const overlay = useReadable(app.overlay)
  const parts = useSignal<Parts | null>(null)

  useVisibleTask$(
    ({ track }) => {
      if (track(() => overlay.value) === null || parts.value !== null) return
      import("../palette/overlays.ts").then(
        ({ Palette, ShortcutSheet }) => {
          parts.value = { Palette, ShortcutSheet }
        },
        () => {
          app.overlay.set(null)
          app.notices.show("error", "The commands could not be loaded. Reload the page and try again.")
        }
      )
    },
    { strategy: "document-ready" }
  )

  if (overlay.value === null || parts.value === null) return null
  const { Palette, ShortcutSheet } = parts.value
  return overlay.value === "palette" ? <Palette /> : <ShortcutSheet />
})
