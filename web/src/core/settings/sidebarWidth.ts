/** The least and the most that the sidebar's width can be, in pixels. */
export const SIDEBAR_WIDTHS = { min: 220, max: 480 } as const

/** How far an arrow key moves its edge. */
const STEP = 16

/** The nearest width that the sidebar can have. */
export const inSidebarRange = (width: number): number =>
  Math.round(Math.min(SIDEBAR_WIDTHS.max, Math.max(SIDEBAR_WIDTHS.min, width)))

/** The width after a key on the sidebar's edge; null for a key that means nothing there. */
export const widthAfterKey = (key: string, width: number, isRightToLeft: boolean): number | null => {
  const outwards = isRightToLeft ? "ArrowLeft" : "ArrowRight"
  const inwards = isRightToLeft ? "ArrowRight" : "ArrowLeft"
  switch (key) {
    case outwards:
      return inSidebarRange(width + STEP)
    case inwards:
      return inSidebarRange(width - STEP)
    case "Home":
      return SIDEBAR_WIDTHS.min
    case "End":
      return SIDEBAR_WIDTHS.max
  }
  return null
}
