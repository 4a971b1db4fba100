import { cardLink } from "./focusCard.ts"

/** Keeps the focus on a card that is drawn anew somewhere else, such as one that somebody else moved. */
export class FocusKeeper {
  private last: string | null = null

  /** Watches where the focus goes until the returned function is called. */
  follow(board: HTMLElement): () => void {
    const taskOf = (target: EventTarget | null) =>
      target instanceof Element && board.contains(target)
        ? (target.closest<HTMLElement>("[data-task]")?.dataset.task ?? null)
        : null
    const onFocus = (event: FocusEvent) => {
      this.last = taskOf(event.target)
    }
    const onPress = (event: Event) => {
      if (taskOf(event.target) === null) this.last = null
    }
    document.addEventListener("focusin", onFocus)
    document.addEventListener("pointerdown", onPress)
    return () => {
      document.removeEventListener("focusin", onFocus)
      document.removeEventListener("pointerdown", onPress)
    }
  }

  /** Brings the focus back when it was lost with its card. */
  restore(): void {
    if (this.last === null || document.activeElement !== document.body) return
    cardLink(this.last)?.focus({ preventScroll: true })
  }
}
