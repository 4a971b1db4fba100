import type { AppServices } from "../base/AppContext.ts"
import type { BoardUi } from "./BoardContext.ts"
import { clearSelection } from "./boardDeeds.ts"
import { enterCards } from "./focusCard.ts"

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, [role=menu]") !== null)

/**
 * Keys for the whole board: Escape ends selecting or closes the panel, an arrow enters the cards; and links keep the
 * filter.
 */
export const boardKeys = (app: AppServices, ui: BoardUi): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return
    switch (event.key) {
      case "Escape":
        if (ui.selecting.value) return clearSelection(ui)
        document.querySelector<HTMLElement>(".side-panel [data-close]")?.click()
        return
      case "ArrowDown":
      case "ArrowRight":
        if (document.activeElement !== document.body && document.activeElement?.id !== "main") return
        event.preventDefault()
        return enterCards()
    }
  }
  /** A link within the board keeps the search and filter. */
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-keep-search]") : null
    if (link === null || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const target = new URL(link.href)
    const params = new URLSearchParams(app.router.location.get().search)
    for (const name of ["panel", "status"]) params.delete(name)
    for (const [name, value] of target.searchParams) params.set(name, value)
    const text = params.toString()
    app.router.navigate(target.pathname + (text === "" ? "" : `?${text}`))
  }
  document.addEventListener("keydown", onKey)
  document.addEventListener("click", onClick, true)
  return () => {
    document.removeEventListener("keydown", onKey)
    document.removeEventListener("click", onClick, true)
  }
}
