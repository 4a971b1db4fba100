import type { AppServices } from "../base/AppContext.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { moveFocus } from "./moveFocus.ts"

/** What they do loads with the first of them. */
const ACTION_KEYS = ["F2", "Delete", "p", "e", "m"]

/** Opens or closes the runs of the job that has the focus. */
const fold = (link: HTMLElement, event: KeyboardEvent): boolean => {
  const button = link.parentElement?.querySelector<HTMLElement>("[data-session-fold]")
  if (button == null || (event.key !== "ArrowRight" && event.key !== "ArrowLeft")) return false
  const opens = (event.key === "ArrowRight") === (getComputedStyle(link).direction === "ltr")
  if ((button.getAttribute("aria-expanded") === "true") !== opens) button.click()
  return true
}

/**
 * Keys for a session in the list: arrows move and open a job's runs, F2 renames, P pins, E archives, M moves it to a
 * group, Delete deletes, the menu key and Shift+F10 open its menu.
 */
export const onSessionKey = (app: AppServices, list: HTMLElement, event: KeyboardEvent): void => {
  const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("a[data-session]") : null
  const key = link?.dataset.session
  if (link === null || key === undefined || event.ctrlKey || event.metaKey || event.altKey) {
    moveFocus(list, event)
    return
  }
  const menu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)
  const row = app.client.sessions.find(key)
  if (menu) {
    const anchor = link.parentElement?.querySelector<HTMLElement>("[data-session-menu]")
    if (anchor != null) sessionRequest.set({ kind: "menu", key, anchor })
  } else if (row !== null && ACTION_KEYS.includes(event.key))
    void import("./sessionActions.ts").then(({ actByKey }) => actByKey(app, list, link, row, event.key))
  else if (!fold(link, event)) {
    moveFocus(list, event)
    return
  }
  event.preventDefault()
}
