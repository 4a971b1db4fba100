import { afterFrames } from "../base/afterFrames.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"

/** A moved card is in its new place after at most this many frames. */
const FRAMES = 24
/** A closing dialog needs this many. */
const SETTLING = 3

/** The link of a card, if the card is shown. */
export const cardLink = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] .card-title`)

/** Focuses the card that is in the tab order. */
export const enterCards = (): void => document.querySelector<HTMLElement>('.board .card-title[tabindex="0"]')?.focus()

/** Focuses a card that is walked to; one far away is drawn first. */
export const walkTo = (ui: Pick<BoardUi, "kept">, id: string): void => {
  ui.kept.value = id
  const link = cardLink(id)
  if (link !== null) link.focus()
  else afterFrames(3, () => cardLink(id)?.focus())
}

/** Focuses a card as soon as it is in its place, unless someone has moved on to something else. */
export const focusCard = (ui: Pick<BoardUi, "kept">, id: string): void => {
  ui.kept.value = id
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

export interface FocusTracker {
  /** Tracks the focus until the returned function is called. */
  follow(board: HTMLElement): () => void
  /** The card whose focus was lost because it is being redrawn; null for none. */
  lost(): string | null
  /** Restores the focus if it was lost with its card. */
  restore(): void
}

/** Keeps the focus on a card that is redrawn elsewhere, such as one that someone else moved. */
export function createFocusTracker(): FocusTracker {
  let last: string | null = null

  function lost(): string | null {
    const isElsewhere = document.activeElement !== document.body || document.querySelector("dialog[open]") !== null
    return isElsewhere ? null : last
  }

  return {
    follow: (board) => {
      const taskOf = (target: EventTarget | null) =>
        target instanceof Element && board.contains(target)
          ? (target.closest<HTMLElement>("[data-task]")?.dataset.task ?? null)
          : null
      const onFocus = (event: FocusEvent) => {
        last = taskOf(event.target)
      }
      const onPress = (event: Event) => {
        if (taskOf(event.target) === null) last = null
      }
      document.addEventListener("focusin", onFocus)
      document.addEventListener("pointerdown", onPress)
      return () => {
        document.removeEventListener("focusin", onFocus)
        document.removeEventListener("pointerdown", onPress)
      }
    },
    lost,
    restore: () => {
      const id = lost()
      if (id !== null) cardLink(id)?.focus({ preventScroll: true })
    }
  }
}

/** Shows which cards are selected directly on their elements, so that selecting one of a thousand redraws nothing. */
export const markSelected = (board: HTMLElement, selected: ReadonlySet<string>): void => {
  for (const row of board.querySelectorAll<HTMLElement>("[data-selected]"))
    if (!selected.has(row.dataset.task ?? "")) setSelected(row, false)
  for (const id of selected) {
    const row = board.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`)
    if (row !== null) setSelected(row, true)
  }
}

const setSelected = (row: HTMLElement, on: boolean): void => {
  const tick = row.querySelector<HTMLInputElement>("[data-card-tick]")
  if (tick !== null) tick.checked = on
  const link = row.querySelector(".card-title")
  if (on) {
    row.dataset.selected = ""
    link?.setAttribute("aria-description", say("selected"))
  } else {
    delete row.dataset.selected
    link?.removeAttribute("aria-description")
  }
}
