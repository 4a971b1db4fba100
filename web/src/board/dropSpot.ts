import { TASK_STATUSES, type TaskStatus } from "../../../src/contract/board.ts"
import type { Place } from "../core/board/columns.ts"
import { wordOf } from "../core/common/decode.ts"

/** Where a dragged card would land. */
export interface DropSpot {
  readonly status: TaskStatus
  readonly place: Place
}

const MARK = "data-drop"

/** Removes the mark from the current spot. */
export const clearDropMark = (): void => {
  for (const marked of document.querySelectorAll(`[${MARK}]`)) marked.removeAttribute(MARK)
}

const mark = (element: Element, side: string): void => {
  if (element.getAttribute(MARK) === side) return
  clearDropMark()
  element.setAttribute(MARK, side)
}

/**
 * The spot under a point of the window, which gets marked; null if a card can't be dropped there, or already is
 * there.
 */
export const dropSpotAt = (x: number, y: number, dragged: string): DropSpot | null => {
  // The drag library keeps a tiny element of its own under the pointer.
  const under = document.elementsFromPoint(x, y).find((element) => !element.hasAttribute("data-pdnd-honey-pot"))
  const column = under?.closest<HTMLElement>("[data-column]")
  const status = wordOf(TASK_STATUSES, column?.dataset.column)
  if (column === null || column === undefined || status === null) {
    clearDropMark()
    return null
  }
  const row = under?.closest<HTMLElement>("[data-task]")
  const id = row?.dataset.task
  if (row !== null && row !== undefined && id !== undefined) {
    if (id === dragged) {
      clearDropMark()
      return null
    }
    const { top, height } = row.getBoundingClientRect()
    const before = y < top + height / 2
    mark(row, before ? "before" : "after")
    return { status, place: before ? { before: id } : { after: id } }
  }
  const first = column.querySelector<HTMLElement>("[data-task]")
  const start = first !== null && y < first.getBoundingClientRect().top
  mark(column, start ? "start" : "end")
  return { status, place: start ? "start" : "end" }
}
