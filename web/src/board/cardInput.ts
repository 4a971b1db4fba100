import type { AppServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { columnBeside, directionOf, neighbour, spotOf } from "../core/board/boardNavigation.ts"
import { type ListRow, rowBeside } from "../core/board/listOrder.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi, CardField } from "./BoardContext.ts"
import { announce, clearSelection, deleteCards, requestMove, toggleSelected } from "./boardActions.ts"
import { boardPath, viewNow } from "./boardView.ts"
import { cardLink, type FocusTracker, walkTo } from "./cardElements.ts"

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

/** The keys of a focused card that are the same on the board and in the list: select, menu, link, delete, deselect. */
const selectionKey = (event: KeyboardEvent, app: AppServices, ui: BoardUi, id: string, openMenu: () => void) => {
  switch (event.key) {
    case " ":
    case "x":
      event.preventDefault()
      return toggleSelected(ui, id)
    case "m":
    case "ContextMenu":
      event.preventDefault()
      return openMenu()
    case "w":
      event.preventDefault()
      ui.linking.value = { id, kind: "after" }
      return
    case "Delete":
      event.preventDefault()
      return deleteCards(app, ui, ui.selected.value.has(id) ? [...ui.selected.value] : [id])
    case "Escape":
      return clearSelection(ui)
  }
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
    walkTo(ui, target.id)
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
    if (event.key === "Enter" && lost !== null) return app.router.navigate(boardPath(app, { task: id }))
    selectionKey(event, app, ui, id, () => openMenu(id))
  }

  const onFocus = (event: FocusEvent) => {
    const id = cardIdOf(event.target)
    const link = id === null ? null : cardLink(id)
    if (link === null) return
    ui.kept.value = id
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

const FIELDS: Readonly<Record<string, CardField>> = { status: "status", priority: "priority", assignee: "assignee" }

/** How far Page Up and Page Down go. */
const PAGE = 10

interface ListParts {
  readonly rows: () => ReadonlyArray<ListRow>
  /** Scrolls a row into sight, so that it's drawn. */
  readonly reveal: (index: number) => void
}

/** Exactly one row is in the tab order, with what can be changed in it. */
const setRowStop = (list: HTMLElement, id: string): void => {
  for (const other of list.querySelectorAll<HTMLElement>('[data-task] [tabindex="0"]')) other.tabIndex = -1
  const row = list.querySelector(`[data-task="${CSS.escape(id)}"]`)
  for (const part of row?.querySelectorAll<HTMLElement>("[tabindex]") ?? []) part.tabIndex = 0
}

/** Clicks and keys on the list: the keys of the board, where up and down go through all columns. */
export const listInput = (list: HTMLElement, app: AppServices, ui: BoardUi, parts: ListParts): (() => void) => {
  const openMenu = (id: string, selector: string, field?: CardField) => {
    const button = list.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] ${selector}`)
    if (button === null) return
    const anchor = button.getBoundingClientRect()
    ui.menu.value = field === undefined ? { id, anchor } : { id, anchor, field }
  }

  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return
    const id = cardIdOf(event.target)
    if (id === null) return
    const field = FIELDS[event.target.closest<HTMLElement>("[data-field]")?.dataset.field ?? ""]
    if (event.target.closest(".list-select") !== null || ui.selecting.value || event.ctrlKey || event.metaKey) {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      return toggleSelected(ui, id)
    }
    if (field !== undefined) return openMenu(id, `[data-field="${field}"]`, field)
    if (event.target.closest("[data-card-menu]") !== null) return openMenu(id, "[data-card-menu]")
    if (event.shiftKey || event.altKey) return
    event.preventDefault()
    app.router.navigate(boardPath(app, { task: id }))
  }

  const goTo = (index: number) => {
    const row = parts.rows()[index]
    if (row?.kind !== "task") return
    parts.reveal(index)
    const known = cardLink(row.key)
    if (known !== null) known.focus({ preventScroll: true })
    else afterFrames(3, () => cardLink(row.key)?.focus({ preventScroll: true }))
  }

  const walk = (id: string, key: string): boolean => {
    const rows = parts.rows()
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[key]
    if (step !== undefined) goTo(rowBeside(rows, id, step))
    else if (key === "Home") goTo(rows.findIndex(({ kind }) => kind === "task"))
    else if (key === "End") goTo(rows.length - 1)
    else return false
    return true
  }

  const moveBeside = (id: string, direction: "left" | "right") => {
    const task = ui.store.find(id)
    if (task === null) return
    const status = columnBeside(viewNow(app, ui.store).keys, task.status, direction)
    if (status === null) return announce(ui, say("There's no column on that side."))
    requestMove(app, ui, [id], status, "end")
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
    const id = cardIdOf(event.target)
    if (id === null || !(event.target instanceof HTMLElement)) return
    if (event.altKey) {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return
      event.preventDefault()
      return moveBeside(id, event.key === "ArrowLeft" ? "left" : "right")
    }
    if (walk(id, event.key)) return event.preventDefault()
    if (!event.target.classList.contains("card-title")) return
    selectionKey(event, app, ui, id, () => openMenu(id, "[data-card-menu]"))
  }

  const onFocus = (event: FocusEvent) => {
    const id = cardIdOf(event.target)
    if (id !== null) setRowStop(list, id)
  }

  list.addEventListener("click", onClick)
  list.addEventListener("keydown", onKey)
  list.addEventListener("focusin", onFocus)
  return () => {
    list.removeEventListener("click", onClick)
    list.removeEventListener("keydown", onKey)
    list.removeEventListener("focusin", onFocus)
  }
}
