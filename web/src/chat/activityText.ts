import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import type { Activity, ChatState } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"

/** How a conversation stands, besides being idle; `unlinked` is work nothing is heard of at the moment. */
export type ChatStanding = WorkState | "stopping" | "unlinked" | "idle"

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

/** How a conversation stands, as far as it knows itself. */
export const standingOf = (state: Pick<ChatState, "activity" | "aborting" | "items" | "linked">): ChatStanding => {
  const standing = STANDINGS[state.activity]
  if (!state.linked && standing === "working") return "unlinked"
  if (state.aborting) return "stopping"
  const isFailed = standing === "idle" && state.items.at(-1)?.kind === "error"
  return (isFailed || standing === "done") && wasDenied(state.items) ? "denied" : isFailed ? "failed" : standing
}

/** The same where its agent `waits` for a person or not. */
export const whileWaiting = (standing: ChatStanding, waits: boolean): ChatStanding =>
  waits && standing !== "stopping" && standing !== "unlinked" ? "waiting" : standing

const WORDS: Readonly<Record<ChatStanding, string>> = {
  ...STATE_WORDS,
  stopping: say("Stopping"),
  unlinked: say("Waiting for the connection"),
  idle: ""
}

/** How a standing is drawn; not at all where there is nothing to wait for or to look after. */
export const standingState = (standing: ChatStanding): WorkState | null =>
  standing === "idle" || standing === "done"
    ? null
    : standing === "stopping"
      ? "working"
      : standing === "unlinked"
        ? "queued"
        : standing

/** A standing in words; empty while idle. */
export const standingText = (standing: ChatStanding): string => WORDS[standing]
