/** A moved card is in its new place after at most this many frames. */
const FRAMES = 24
/** A closing dialog needs this many. */
const SETTLING = 3

/** The link of a card, if the card is shown. */
export const cardLink = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] .card-title`)

/** Focuses the card that is in the tab order. */
export const enterCards = (): void => document.querySelector<HTMLElement>('.board .card-title[tabindex="0"]')?.focus()

/** Focuses a card as soon as it is in its place, unless someone has moved on to something else. */
export const focusCard = (id: string): void => {
  let frames = 0
  // A dialog that just closed restores the focus itself; whatever has it then is the starting point.
  let start: Element | null = null
  let focused: HTMLElement | null = null
  const look = () => {
    frames++
    const active = document.activeElement
    if (frames <= SETTLING || document.querySelector("dialog[open]") !== null) start = active
    else {
      if (active !== document.body && active !== start && active !== focused) return
      // The card may be redrawn for a moment: the last one drawn keeps the focus.
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
