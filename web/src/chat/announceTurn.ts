import { parseMarkers } from "../../../src/contract/markers/parseMarkers.ts"
import type { ChatState, ChatStore, TurnEnd } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { withoutMediaLines } from "../core/text/mediaLines.ts"

/** Characters of a finished response announced to screen readers. */
const ANNOUNCED = 600

/** What screen readers say of a turn's end. A failure is an alert in the conversation, so nothing more is said of it. */
export const endText = ({ outcome, text }: Pick<TurnEnd, "outcome" | "text">): string => {
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
