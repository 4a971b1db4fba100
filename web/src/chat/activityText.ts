import { STATE_WORDS } from "../core/common/stateWords.ts"
import type { Activity, ChatState } from "../core/conversation/chatTypes.ts"

/** How a conversation stands, besides being idle. */
export type ChatStanding = keyof typeof STATE_WORDS | "stopping" | "idle"

const STANDINGS: Readonly<Record<Activity, ChatStanding>> = {
  THINKING: "working",
  STREAMING: "working",
  DONE: "done",
  IDLE: "idle"
}

/** Whether the last thing the agent wanted to do since the last message wasn't allowed. */
const wasDenied = (items: ChatState["items"]): boolean => {
  const last = items.findLast(({ kind }) => kind === "tool" || kind === "user")
  return last?.kind === "tool" && last.status === "denied"
}

/** How a conversation stands, where its agent `waits` for a person or not. */
export const standingOf = (state: Pick<ChatState, "activity" | "aborting" | "items">, waits: boolean): ChatStanding => {
  if (state.aborting) return "stopping"
  if (waits) return "waiting"
  const standing = STANDINGS[state.activity]
  const isFailed = standing === "idle" && state.items.at(-1)?.kind === "error"
  return (isFailed || standing === "done") && wasDenied(state.items) ? "denied" : isFailed ? "failed" : standing
}

/** A standing in words; empty while idle. */
export const standingText = (standing: ChatStanding): string =>
  standing === "idle" ? "" : standing === "stopping" ? "Stopping" : STATE_WORDS[standing]
