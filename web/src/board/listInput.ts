import type { AppServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { columnBeside } from "../core/board/boardNavigation.ts"
import { type ListRow, rowBeside } from "../core/board/listOrder.ts"
import { say } from "../core/language/say.ts"
import type { BoardUi, CardField } from "./BoardContext.ts"
import { announce, clearSelection, deleteCards, requestMove, toggleSelected } from "./boardActions.ts"
import { boardPath, viewNow } from "./boardView.ts"
import { cardLink } from "./cardElements.ts"

const FIELDS: Readonly<Record<string, CardField>> = { status: "status", priority: "priority", assignee: "assignee" }

/** How far Page Up and Page Down go. */
const PAGE = 10

interface ListParts {
  readonly rows: () => ReadonlyArray<ListRow>
  /** Scrolls a row into sight, so that it's drawn. */
  readonly reveal: (index: number) => void
}

const taskOf = (target: EventTarget | null): string | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-task]") : null
  return row?.dataset.task ?? null
}

/** Exactly one row is in the tab order, with what can be changed in it. */
const setStop = (list: HTMLElement, id: string): void => {
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
    const id = taskOf(event.target)
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
    const id = taskOf(event.target)
    if (id === null || !(event.target instanceof HTMLElement)) return
    if (event.altKey) {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return
      event.preventDefault()
      return moveBeside(id, event.key === "ArrowLeft" ? "left" : "right")
    }
    if (walk(id, event.key)) return event.preventDefault()
    if (!event.target.classList.contains("card-title")) return
    switch (event.key) {
      case " ":
      case "x":
        event.preventDefault()
        return toggleSelected(ui, id)
      case "m":
      case "ContextMenu":
        event.preventDefault()
        return openMenu(id, "[data-card-menu]")
      case "Delete":
        event.preventDefault()
        return deleteCards(app, ui, ui.selected.value.has(id) ? [...ui.selected.value] : [id])
      case "Escape":
        return clearSelection(ui)
    }
  }

  const onFocus = (event: FocusEvent) => {
    const id = taskOf(event.target)
    if (id !== null) setStop(list, id)
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
