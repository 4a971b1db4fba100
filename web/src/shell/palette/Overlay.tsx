import { component$ } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useReadable } from "../../base/useReadable.ts"
import { Palette } from "./Palette.tsx"
import { ShortcutSheet } from "./ShortcutSheet.tsx"

/** What is shown over the screen. */
export const Overlay = component$(() => {
  const shown = useReadable(useServices().overlay)
  return shown.value === "palette" ? <Palette /> : shown.value === "shortcuts" ? <ShortcutSheet /> : null
})
