import { money, percentText } from "../core/common/numberText.ts"
import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import { say } from "../core/language/say.ts"
import type { SessionKind, SessionRow, SessionState } from "../core/sessions/sessionTypes.ts"
import type { IconName } from "../ui/Icon.tsx"

/** The words a session is found by: its name, what it runs on, and its agent if there are several. */
export const searchText = (row: Pick<SessionRow, "title" | "kind" | "agentId" | "model">): string =>
  [row.title, row.kind === "main" ? "main" : "", row.agentId === "main" ? "" : row.agentId, row.model ?? ""].join(" ")

/** The state of a session's work; null if it is idle, or only has an unread response. */
export const workState = (state: SessionState): WorkState | null =>
  state === "error" ? "failed" : state === "unread" || state === "idle" ? null : state

/** The state for display: the outcome of a run stays after it was seen, but no longer asks for attention. */
export const displayState = ({
  state,
  denied,
  failed
}: Pick<SessionRow, "state" | "denied" | "failed">): SessionState =>
  state !== "idle" ? state : denied ? "denied" : failed ? "error" : state

/** The state in words; empty if there is nothing to say. */
export const stateLabel = (state: SessionState): string => {
  const work = workState(state)
  return work !== null ? STATE_WORDS[work] : state === "unread" ? say("New response") : ""
}

const KINDS: Readonly<Record<SessionKind, { readonly icon: IconName; readonly label: string }>> = {
  main: { icon: "message-square", label: say("Main conversation") },
  chat: { icon: "message-square", label: say("Conversation") },
  subagent: { icon: "bot", label: say("Sub-agent") },
  cron: { icon: "clock", label: say("Scheduled job") },
  task: { icon: "kanban", label: say("Board card") }
}

/** How a session's kind is drawn and named. */
export const kindOf = (kind: SessionKind): { readonly icon: IconName; readonly label: string } => KINDS[kind]

/** How full the model's context is, from 0 to 1; null if the gateway doesn't say. */
export const contextShare = (row: Pick<SessionRow, "totalTokens" | "contextTokens">): number | null =>
  row.totalTokens === null || row.contextTokens === null || row.contextTokens <= 0
    ? null
    : Math.min(1, Math.max(0, row.totalTokens / row.contextTokens))

/** An amount in dollars, such as "$0.04"; empty below half a cent. */
export const costText = (cost: number | null): string => {
  if (cost === null || cost < 0.005) return ""
  return money(cost, undefined, cost < 100)
}

/** What a session has used, in words; empty if its gateway doesn't say. */
export const figuresText = (row: Pick<SessionRow, "totalTokens" | "contextTokens" | "cost">): string => {
  const share = contextShare(row)
  const cost = costText(row.cost)
  return [
    ...(share === null || share < 0.01 ? [] : [say("Context: {share}", { share: percentText(share) })]),
    ...(cost === "" ? [] : [say("Cost: {cost} (gateway's estimate)", { cost })])
  ].join(", ")
}
