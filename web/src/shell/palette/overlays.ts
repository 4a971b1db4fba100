import type { Component } from "@builder.io/qwik"
import { Palette as PaletteView } from "./Palette.tsx"
import { ShortcutSheet as ShortcutSheetView } from "./ShortcutSheet.tsx"

/** What is shown over the screen, in one chunk. */
export const Palette: Component = PaletteView
export const ShortcutSheet: Component = ShortcutSheetView
