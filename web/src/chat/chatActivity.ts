import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import { STATE_WORDS, type WorkState } from "../core/common/stateWords.ts"
import type { Activity, ChatState, ChatStore, TurnEnd } from "../core/conversation/chatTypes.ts"
import { withoutMediaLines } from "../core/conversation/history/mediaLines.ts"
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
 * Tells screen readers what the agent does, once each: that it works, which tools it uses, and what it said. The
 * returned function stops that.
 */
export const announceTurns = (
  chat: Pick<ChatStore, "state" | "onTurnEnd">,
  announce: (text: string) => void
): (() => void) => {
  let isRunning = chat.state.get().running
  /** Tools of this turn that were announced, or that were there already. */
  let told = isRunning ? new Set(toolsOf(chat.state.get().items)) : new Set<string>()
  const follow = ({ items, running }: ChatState) => {
    const began = running && !isRunning
    isRunning = running
    if (began) {
      told = new Set()
      announce(say("The agent is working."))
    }
    if (!running) return
    for (const tool of toolsOf(items)) {
      if (told.has(tool)) continue
      told.add(tool)
      announce(say("The agent uses {tool}.", { tool }))
    }
  }
  const stops = [chat.state.subscribe(follow), chat.onTurnEnd((turn) => announce(endText(turn)))]
  return () => {
    for (const stop of stops) stop()
  }
}

/** How a conversation stands, besides being idle; `unlinked` is work nothing is heard of at the moment. */
type ChatStanding = WorkState | "stopping" | "unlinked" | "idle"

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
