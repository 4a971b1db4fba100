import type { SessionRow, SessionState } from "../core/sessions/sessionTypes.ts"

const URGENCY: ReadonlyArray<SessionState> = ["waiting", "error", "denied", "unread", "working"]

/** What the browser tab shows: the most urgent state of any session. */
export const tabState = (rows: ReadonlyArray<Pick<SessionRow, "state">>): SessionState =>
  URGENCY.find((state) => rows.some((row) => row.state === state)) ?? "idle"

/** The tab icon's address for a state; a denial is news like a response. */
export const tabIcon = (state: SessionState): string =>
  state === "idle" ? "/icon.svg" : `/icon-${state === "denied" ? "unread" : state}.svg`
