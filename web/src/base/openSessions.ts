/** Dispatched on `window` to open the session list and focus it. */
export const OPEN_SESSIONS_EVENT = "console:open-sessions"

/** Opens the session list: the drawer on a phone, and moves the focus there. */
export const openSessions = (): void => {
  window.dispatchEvent(new Event(OPEN_SESSIONS_EVENT))
}
