import type { SessionRow, SessionState } from "../core/chatTypes.ts"

const URGENCY: ReadonlyArray<SessionState> = ["waiting", "error", "unread", "working"]

/** What the browser tab tells: the state of any session that most wants attention. */
export const tabState = (rows: ReadonlyArray<Pick<SessionRow, "state">>): SessionState =>
  URGENCY.find((state) => rows.some((row) => row.state === state)) ?? "idle"

/** The address of the tab's icon for a state. */
export const tabIcon = (state: SessionState): string => (state === "idle" ? "/icon.svg" : `/icon-${state}.svg`)
