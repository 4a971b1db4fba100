/** A moved card stands in its new place after this many frames at most. */
const FRAMES = 24
/** A closing dialog needs this many. */
const SETTLING = 3

/** The link of a card, if the card is shown. */
export const cardLink = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] .card-title`)

/** Moves the focus to a card as soon as it stands where it belongs, unless somebody went on to something else. */
export const focusCard = (id: string): void => {
  let frames = 0
  // A dialog that just closed gives the focus back by itself; what has it then is where everything starts.
  let start: Element | null = null
  let focused: HTMLElement | null = null
  const look = () => {
    frames++
    const active = document.activeElement
    if (frames <= SETTLING || document.querySelector("dialog[open]") !== null) start = active
    else {
      if (active !== document.body && active !== start && active !== focused) return
      // The card may be drawn anew for a moment: the one that stands last keeps the focus.
      const link = cardLink(id)
      if (link !== null && link !== active) {
        link.focus({ preventScroll: true })
        link.scrollIntoView({ block: "nearest", inline: "nearest" })
        focused = link
      }
    }
    if (frames < FRAMES) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
