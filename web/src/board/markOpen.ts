/** Marks the card that is open beside the board, and brings it into view when that changes. */
export const markOpen = (board: HTMLElement, id: string | null): void => {
  const link = id === null ? null : board.querySelector(`[data-task="${CSS.escape(id)}"] .card-title`)
  const marked = board.querySelector(".card-title[aria-current]")
  if (marked === link) return
  marked?.removeAttribute("aria-current")
  if (link === null) return
  link.setAttribute("aria-current", "true")
  // The panel takes its place first. Only the board scrolls sideways, and only when the card would be cut off: then its
  // column stands at the board's start, so that no column is cut there.
  requestAnimationFrame(() => {
    const column = link.closest(".column")
    const { left = 0, right = 0 } = column?.getBoundingClientRect() ?? {}
    const frame = board.getBoundingClientRect()
    const isCut = left < frame.left || right > frame.right
    link.closest(".card")?.scrollIntoView({ block: "nearest", inline: "nearest" })
    if (isCut) column?.scrollIntoView({ block: "nearest", inline: "start" })
  })
}
