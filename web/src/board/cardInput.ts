import type { AppServices } from "../base/AppContext.ts"
import { columnBeside, directionOf, neighbour, spotOf } from "../core/board/boardNavigation.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi } from "./BoardContext.ts"
import { announce, clearSelection, deleteCards, requestMove, toggleSelected } from "./boardActions.ts"
import { boardPath, viewNow } from "./boardView.ts"
import { cardLink, type FocusTracker } from "./cardElements.ts"

const cardIdOf = (target: EventTarget | null): string | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-task]") : null
  return row?.dataset.task ?? null
}

/** Exactly one card is in the tab order: the last focused one, otherwise the first. */
export const keepOneStop = (board: HTMLElement): void => {
  const links = board.querySelectorAll<HTMLElement>('.card-title[tabindex="0"]')
  const [first, ...others] = links
  for (const link of others) link.tabIndex = -1
  if (first === undefined) {
    const fallback = board.querySelector<HTMLElement>(".card-title")
    if (fallback !== null) setStop(fallback, 0)
  }
}

const setStop = (link: HTMLElement, index: number): void => {
  link.tabIndex = index
  const menu = link.closest(".card")?.querySelector<HTMLElement>("[data-card-menu]")
  if (menu !== null && menu !== undefined) menu.tabIndex = index
}

/** Handles clicks and keys on a board's cards, with one listener each however many cards there are. */
export const cardInput = (board: HTMLElement, app: AppServices, ui: BoardUi, focus: FocusTracker): (() => void) => {
  const openMenu = (id: string) => {
    const button = board.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] [data-card-menu]`)
    if (button !== null) ui.menu.value = { id, anchor: button.getBoundingClientRect() }
  }

  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return
    const id = cardIdOf(event.target)
    if (id === null) return
    if (event.target.closest("[data-card-menu]") !== null) return openMenu(id)
    if (ui.selecting.value || event.ctrlKey || event.metaKey) {
      event.preventDefault()
      toggleSelected(ui, id)
      return
    }
    if (event.shiftKey || event.altKey) return
    event.preventDefault()
    app.router.navigate(boardPath(app, { task: id }))
  }

  const moveBy = (id: string, direction: "up" | "down" | "left" | "right") => {
    const view = viewNow(app, ui.store)
    const spot = spotOf(view.cards, view.keys, id)
    if (spot === null) return
    if (direction === "up" || direction === "down") {
      const other = neighbour(view.cards, view.keys, id, direction)
      if (other === null)
        return announce(ui, direction === "up" ? say("Already at the top.") : say("Already at the bottom."))
      return requestMove(app, ui, [id], spot.status, direction === "up" ? { before: other.id } : { after: other.id })
    }
    const status = columnBeside(view.keys, spot.status, direction)
    if (status === null) return announce(ui, say("There's no column on that side."))
    const beside = view.cards[status][spot.index]
    requestMove(app, ui, [id], status, beside === undefined ? "end" : { before: beside.id })
  }

  const walk = (id: string, key: string): boolean => {
    const view = viewNow(app, ui.store)
    const direction = directionOf(key)
    const spot = spotOf(view.cards, view.keys, id)
    const column = spot === null ? [] : view.cards[spot.status]
    const target =
      direction !== null
        ? neighbour(view.cards, view.keys, id, direction)
        : key === "Home"
          ? (column[0] ?? null)
          : key === "End"
            ? (column.at(-1) ?? null)
            : null
    if (target === null) return direction !== null
    cardLink(target.id)?.focus()
    return true
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
    if (!(event.target instanceof HTMLElement)) return
    // A card that is being redrawn elsewhere has no focus for a moment: its keys arrive at the page.
    const lost = event.target === document.body ? focus.lost() : null
    const id = board.contains(event.target) ? cardIdOf(event.target) : lost
    if (id === null || ui.store.find(id) === null) return
    const onTitle = lost !== null || event.target.classList.contains("card-title")
    const direction = directionOf(event.key)
    if (event.altKey) {
      if (direction === null) return
      event.preventDefault()
      return moveBy(id, direction)
    }
    if (direction !== null || event.key === "Home" || event.key === "End") {
      if (walk(id, event.key)) event.preventDefault()
      return
    }
    if (!onTitle) return
    switch (event.key) {
      case " ":
      case "x":
        event.preventDefault()
        return toggleSelected(ui, id)
      case "m":
      case "ContextMenu":
        event.preventDefault()
        return openMenu(id)
      case "Delete":
        event.preventDefault()
        return deleteCards(app, ui, ui.selected.value.has(id) ? [...ui.selected.value] : [id])
      case "Escape":
        return clearSelection(ui)
      case "Enter":
        if (lost !== null) app.router.navigate(boardPath(app, { task: id }))
    }
  }

  const onFocus = (event: FocusEvent) => {
    const id = cardIdOf(event.target)
    const link = id === null ? null : cardLink(id)
    if (link === null) return
    for (const other of board.querySelectorAll<HTMLElement>('.card-title[tabindex="0"]')) setStop(other, -1)
    setStop(link, 0)
  }

  board.addEventListener("click", onClick)
  document.addEventListener("keydown", onKey, true)
  board.addEventListener("focusin", onFocus)
  return () => {
    board.removeEventListener("click", onClick)
    document.removeEventListener("keydown", onKey, true)
    board.removeEventListener("focusin", onFocus)
  }
}
