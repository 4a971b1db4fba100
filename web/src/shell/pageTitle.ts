import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import type { LinkPhase, LinkState } from "../core/link/linkTypes.ts"
import type { SessionRow, SessionState, SessionsState } from "../core/sessions/sessionTypes.ts"
import { stateLabel } from "../sessions/sessionPresentation.ts"
import type { LampState } from "../ui/Lighthouse.tsx"

const URGENCY: ReadonlyArray<SessionState> = ["waiting", "error", "denied", "unread", "working"]

/** What the browser tab shows: the most urgent state of any session. */
export const tabState = (rows: ReadonlyArray<Pick<SessionRow, "state">>): SessionState =>
  URGENCY.find((state) => rows.some((row) => row.state === state)) ?? "idle"

const NAME = "Agent Console"
const OFFLINE: ReadonlySet<LinkPhase> = new Set(["waiting", "gaveUp", "unapproved", "refused"])

/** The tab icon's address for a state; a denial is news like a response. */
export const tabIcon = (state: SessionState, { phase }: Pick<LinkState, "phase">): string => {
  if (OFFLINE.has(phase)) return below("/icon-offline.svg")
  return below(state === "idle" ? "/icon.svg" : `/icon-${state === "denied" ? "unread" : state}.svg`)
}

/** How the lamp of the mark burns: dark without a gateway, blinking while something waits for a person, lit at work. */
export const lampState = (
  { phase }: Pick<LinkState, "phase">,
  waiting: number,
  rows: ReadonlyArray<Pick<SessionRow, "state">>
): LampState => {
  if (phase !== "ready") return "dark"
  if (waiting > 0) return "blinking"
  return rows.some(({ state }) => state === "working") ? "lit" : "calm"
}

/**
 * The browser tab's title: what needs attention first, in any session, then the name of the screen, or of the open
 * session if `screen` is left out. The number in front is what waits in the inbox, or if nothing does, what is unread.
 */
export const pageTitle = (
  link: LinkState,
  sessions: SessionsState,
  activeKey: string,
  waiting: number,
  screen?: string
): string => {
  const place = screen ?? sessions.rows.find((candidate) => candidate.key === activeKey)?.title
  const state = stateLabel(tabState(sessions.rows))
  const number = waiting > 0 ? waiting : sessions.unreadCount
  const count = number > 0 ? `(${number}) ` : ""
  const offline = OFFLINE.has(link.phase) ? `${say("Offline")} · ` : ""
  const name = place === undefined ? NAME : `${place} · ${NAME}`
  return `${count}${offline}${state === "" ? "" : `${state} · `}${name}`
}
