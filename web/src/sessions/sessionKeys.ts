import type { AppServices } from "../base/AppContext.ts"
import { afterFrames } from "../base/afterFrames.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import { moveFocus } from "./moveFocus.ts"

const actions = () => import("./sessionActions.ts")

/** What a key does with the session that has the focus; undefined for other keys. */
const actionOf = (app: AppServices, list: HTMLElement, link: HTMLElement, row: SessionRow, event: KeyboardEvent) => {
  const { key } = row
  const toNeighbour = () => moveFocus(list, new KeyboardEvent("keydown", { key: "ArrowUp" }), link)
  switch (event.key) {
    case "F2":
      return () => sessionRequest.set({ kind: "rename", key })
    case "Delete":
      if (row.kind === "main") return undefined
      return () => {
        toNeighbour()
        void actions().then(({ deleteSession }) => deleteSession(app, row))
      }
    case "p":
      return async () => {
        const { mayBeMarked, togglePin } = await actions()
        if (!mayBeMarked(row)) return
        void togglePin(app, row)
        // It moves to its new place, which takes the focus from it.
        afterFrames(3, () => list.querySelector<HTMLElement>(`a[data-session="${CSS.escape(key)}"]`)?.focus())
      }
    case "e":
      return async () => {
        const { mayBeMarked, toggleArchived } = await actions()
        if (!mayBeMarked(row)) return
        toNeighbour()
        void toggleArchived(app, row)
      }
    case "m":
      return async () => {
        if ((await actions()).mayBeMarked(row)) sessionRequest.set({ kind: "group", key })
      }
    default:
      return undefined
  }
}

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
  const action = row === null ? undefined : actionOf(app, list, link, row, event)
  if (menu) {
    const anchor = link.parentElement?.querySelector<HTMLElement>("[data-session-menu]")
    if (anchor != null) sessionRequest.set({ kind: "menu", key, anchor })
  } else if (action !== undefined) void action()
  else if (!fold(link, event)) {
    moveFocus(list, event)
    return
  }
  event.preventDefault()
}
