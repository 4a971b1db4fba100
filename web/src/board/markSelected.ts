import { say } from "../core/language/say.ts"

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
