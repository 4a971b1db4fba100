import { cardLink } from "./focusCard.ts"

export interface FocusKeeper {
  /** Tracks the focus until the returned function is called. */
  follow(board: HTMLElement): () => void
  /** The card whose focus was lost because it is being redrawn; null for none. */
  lost(): string | null
  /** Restores the focus if it was lost with its card. */
  restore(): void
}

/** Keeps the focus on a card that is redrawn elsewhere, such as one that someone else moved. */
export function createFocusKeeper(): FocusKeeper {
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
