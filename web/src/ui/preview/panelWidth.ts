import type { KeyValueStorage } from "../../core/link/Environment.ts"

const KEY = "preview.width"

/** Share of the screen that the preview takes, in percent. */
export const WIDTHS = { least: 25, usual: 45, most: 65 } as const

export const bounded = (width: number): number => Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)))

/** The width that was chosen last on this device. */
export const keptWidth = (storage: KeyValueStorage): number => {
  const kept = Number(storage.getItem(KEY) ?? "")
  return kept > 0 ? bounded(kept) : WIDTHS.usual
}

export const keepWidth = (storage: KeyValueStorage, width: number): void => storage.setItem(KEY, String(width))
