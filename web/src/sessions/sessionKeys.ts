import type { AppServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { moveFocus } from "./moveFocus.ts"

/**
 * Keys for a session in the list: arrows move, F2 renames, Delete deletes, the menu key and Shift+F10 open its menu.
 */
export const onSessionKey = (app: AppServices, list: HTMLElement, event: KeyboardEvent): void => {
  const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("a[data-session]") : null
  const key = link?.dataset.session
  if (link === null || key === undefined || event.ctrlKey || event.metaKey || event.altKey) {
    moveFocus(list, event)
    return
  }
  const menu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)
  if (menu) {
    const anchor = link.parentElement?.querySelector<HTMLElement>("[data-session-menu]")
    if (anchor != null) sessionRequest.set({ kind: "menu", key, anchor })
  } else if (event.key === "F2") {
    sessionRequest.set({ kind: "rename", key })
  } else if (event.key === "Delete") {
    const row = app.client.sessions.find(key)
    if (row === null || row.kind === "main") return
    moveFocus(list, new KeyboardEvent("keydown", { key: "ArrowUp" }), link)
    void import("./sessionActions.ts").then(({ deleteSession }) => deleteSession(app, row))
  } else {
    moveFocus(list, event)
    return
  }
  event.preventDefault()
}
