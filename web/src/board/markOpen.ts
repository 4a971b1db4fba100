/** Marks the card that is open beside the board, and brings it into view when that changes. */
export const markOpen = (board: HTMLElement, id: string | null): void => {
  const link = id === null ? null : board.querySelector(`[data-task="${CSS.escape(id)}"] .card-title`)
  const marked = board.querySelector(".card-title[aria-current]")
  if (marked === link) return
  marked?.removeAttribute("aria-current")
  if (link === null) return
  link.setAttribute("aria-current", "true")
  // The panel takes its place first. Only the board scrolls sideways, and only when the card would be cut off.
  requestAnimationFrame(() => link.closest(".card")?.scrollIntoView({ block: "nearest", inline: "nearest" }))
}
