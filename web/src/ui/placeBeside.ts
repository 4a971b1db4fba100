/** A rectangle in the window's pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const MARGIN = 8
const GAP = 4

const between = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

/**
 * Where to put a floating element of a given size next to its anchor: below it and aligned with its end, above it if
 * there is more room, always inside the window; `maxHeight` is the available height.
 */
export const placeBeside = (
  anchor: Box,
  size: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number }
): { readonly left: number; readonly top: number; readonly maxHeight: number } => {
  const below = view.height - MARGIN - GAP - (anchor.top + anchor.height)
  const above = anchor.top - GAP - MARGIN
  const isBelow = size.height <= below || below >= above
  const maxHeight = Math.max(0, isBelow ? below : above)
  const height = Math.min(size.height, maxHeight)
  const alignedEnd = anchor.left + anchor.width - size.width
  const alignedStart = anchor.left
  const left = alignedEnd >= MARGIN ? alignedEnd : alignedStart
  return {
    left: between(left, MARGIN, Math.max(MARGIN, view.width - MARGIN - size.width)),
    top: isBelow ? anchor.top + anchor.height + GAP : anchor.top - GAP - height,
    maxHeight
  }
}
