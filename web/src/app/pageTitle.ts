import type { SessionsState } from "../core/chatTypes.ts"
import type { LinkState } from "../core/types.ts"
import { stateLabel } from "../sessions/sessionPresentation.ts"
import { tabState } from "./tabState.ts"

const NAME = "Agent Console"

/**
 * The title of the browser tab: what needs attention first, in whichever session, then the name of the screen, or of
 * the open session where `screen` is left out.
 */
export const pageTitle = (link: LinkState, sessions: SessionsState, activeKey: string, screen?: string): string => {
  const place = screen ?? sessions.rows.find((candidate) => candidate.key === activeKey)?.title
  const state = stateLabel(tabState(sessions.rows))
  const unread = sessions.unreadCount > 0 ? `(${sessions.unreadCount}) ` : ""
  const offline = link.phase === "waiting" || link.phase === "gaveUp" || link.phase === "refused" ? "Offline · " : ""
  const name = place === undefined ? NAME : `${place} · ${NAME}`
  return `${unread}${offline}${state === "" ? "" : `${state} · `}${name}`
}
