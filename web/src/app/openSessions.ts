/** Dispatched on `window` to bring the session list up and focus it. */
export const OPEN_SESSIONS_EVENT = "console:open-sessions"

/** Brings the session list up: opens the drawer on a phone and moves the focus there. */
export const openSessions = (): void => {
  window.dispatchEvent(new Event(OPEN_SESSIONS_EVENT))
}
