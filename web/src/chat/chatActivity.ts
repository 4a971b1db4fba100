import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { withoutMediaLines } from "../../../src/services/conversations/history/mediaLines.ts"
import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import type { Activity, ChatState, ChatStore, TurnEnd } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"

/** Characters of a finished response announced to screen readers. */
const ANNOUNCED = 600

/** What screen readers say of a turn's end. A failure is an alert in the conversation, so nothing more is said of it. */
const endText = ({ outcome, text }: Pick<TurnEnd, "outcome" | "text">): string => {
  if (outcome === "error") return ""
  return outcome === "done"
    ? parseMarkers(withoutMediaLines(text)).text.slice(0, ANNOUNCED).toWellFormed()
    : say("Response stopped.")
}

/** The tools used since the last message of a person. */
const toolsOf = (items: ChatState["items"]): ReadonlyArray<string> =>
  items
    .slice(items.findLastIndex(({ kind }) => kind === "user") + 1)
    .flatMap((item) => (item.kind === "tool" ? [item.name] : []))

/**
 * Announces to screen readers what the agent does, once each: that it works, which tools it uses, and what it said. The
 * returned function stops that.
 */
export const announceTurns = (
  chat: Pick<ChatStore, "state" | "onTurnEnd">,
  announce: (text: string) => void
): (() => void) => {
  let isRunning = chat.state.get().running
  /** Tools of this turn that were announced, or that were there already. */
  let announced = isRunning ? new Set(toolsOf(chat.state.get().items)) : new Set<string>()
  const follow = ({ items, running }: ChatState) => {
    const began = running && !isRunning
    isRunning = running
    if (began) {
      announced = new Set()
      announce(say("The agent is working."))
    }
    if (!running) return
    for (const tool of toolsOf(items)) {
      if (announced.has(tool)) continue
      announced.add(tool)
      announce(say("The agent uses {tool}.", { tool }))
    }
  }
  const stops = [chat.state.subscribe(follow), chat.onTurnEnd((turn) => announce(endText(turn)))]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The status of a conversation; `unlinked` is work without news, since the connection is lost. */
type ChatStatus = WorkState | "stopping" | "unlinked" | "idle"

const STATUSES: Readonly<Record<Activity, ChatStatus>> = {
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

/** The status of a conversation, without what waits for a person elsewhere. */
export const chatStatusOf = (state: Pick<ChatState, "activity" | "aborting" | "items" | "linked">): ChatStatus => {
  const status = STATUSES[state.activity]
  if (!state.linked && status === "working") return "unlinked"
  if (state.aborting) return "stopping"
  const isFailed = status === "idle" && state.items.at(-1)?.kind === "error"
  return (isFailed || status === "done") && wasDenied(state.items) ? "denied" : isFailed ? "failed" : status
}

/** The status, with whether the agent waits for a person. */
export const whileWaiting = (status: ChatStatus, waits: boolean): ChatStatus =>
  waits && status !== "stopping" && status !== "unlinked" ? "waiting" : status

const WORDS: Readonly<Record<ChatStatus, string>> = {
  ...STATE_WORDS,
  stopping: say("Stopping"),
  unlinked: say("Waiting for the connection"),
  idle: ""
}

/** The badge of a status; null if nothing runs, waits or failed. */
export const workStateOf = (status: ChatStatus): WorkState | null =>
  status === "idle" || status === "done"
    ? null
    : status === "stopping"
      ? "working"
      : status === "unlinked"
        ? "queued"
        : status

/** A status in words; empty while idle. */
export const chatStatusText = (status: ChatStatus): string => WORDS[status]
