import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useRequestedPart } from "../base/usePart.ts"

/** Where the palette and shortcut sheet are drawn; their chunk loads on first use. */
export const OverlayPlace = component$(() => {
  const { asked, part } = useRequestedPart(useServices().overlay, () => import("./palette/overlays.ts"))
  if (asked.value === null || part.value === null) return null
  const { Palette, ShortcutSheet } = part.value
  return asked.value === "palette" ? <Palette /> : <ShortcutSheet />
})
