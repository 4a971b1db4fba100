const MARGIN = 8
const GAP = 6

/** Keeps a panel above its button, as far as the window lets it, until the returned function is called. */
export const placeAbove = (panel: HTMLElement, button: Element): (() => void) => {
  const place = () => {
    const at = button.getBoundingClientRect()
    const width = document.documentElement.clientWidth
    const end = getComputedStyle(panel).direction === "rtl" ? at.left : width - at.right
    const most = Math.max(MARGIN, width - MARGIN - panel.offsetWidth)
    panel.style.setProperty("--panel-end", `${Math.min(Math.max(MARGIN, end), most)}px`)
    panel.style.setProperty("--panel-bottom", `${window.innerHeight - at.top + GAP}px`)
    panel.style.setProperty("--panel-height", `${at.top - GAP - MARGIN}px`)
  }
  const seen = new ResizeObserver(place)
  place()
  seen.observe(button)
  seen.observe(document.documentElement)
  return () => seen.disconnect()
}
