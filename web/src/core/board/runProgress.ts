import { parseMarkers } from "../../../../src/contract/markers/parseMarkers.ts"
import { removeSpans } from "../../../../src/contract/markers/removeSpans.ts"
import { withoutMediaLines } from "../../../../src/services/conversations/history/mediaLines.ts"
import type { ChatState, UserItem } from "../conversation/chatTypes.ts"
import { say } from "../language/say.ts"

const MAX_TEXT = 280

const lastLines = (text: string): string => {
  const line = text
    .replace(/^#+ |[*_`]{1,3}/gm, "")
    .trim()
    .replace(/\s+/g, " ")
  return line.length <= MAX_TEXT ? line : `…${line.slice(-MAX_TEXT)}`
}

/** What an agent is doing right now, in one or two lines; nothing while it writes, which is shown itself. */
export const runProgress = (chat: ChatState): string => {
  const asked = chat.items.findIndex(({ kind }) => kind === "user")
  for (const [index, item] of [...chat.items.entries()].toReversed()) {
    switch (item.kind) {
      case "tool":
        if (item.status === "running") return say("Using {tool}…", { tool: item.title ?? item.name })
        break
      case "thinking":
        return item.text.trim() === "" ? say("Thinking…") : say("Thinking: {words}", { words: lastLines(item.text) })
      case "assistant":
        return ""
      case "user":
        // What the agent is told meanwhile doesn't hide what it's doing.
        if (index > asked) break
        return chat.status === "ready" ? say("Getting started…") : ""
    }
  }
  return ""
}

/** What the agent has written since it was asked, as Markdown, without what its markers ask for. */
export const runText = (chat: Pick<ChatState, "items">): string => {
  const asked = chat.items.findIndex(({ kind }) => kind === "user")
  const texts = chat.items
    .slice(asked + 1)
    .flatMap((item) => (item.kind === "assistant" ? [withoutMediaLines(item.text).trim()] : []))
  const text = texts.filter((part) => part !== "").join("\n\n")
  return removeSpans(text, parseMarkers(text).hidden)
}

const MAX_SHOWN = 3

/** What people wrote to the agent of a run since it began: the newest messages but for the first, which is the card itself. */
export const laterMessages = ({ items }: Pick<ChatState, "items">, startedAt: number): ReadonlyArray<UserItem> => {
  const own = items.filter((item) => item.kind === "user")
  return own
    .slice(1)
    .filter(({ at }) => at === null || at >= startedAt)
    .slice(-MAX_SHOWN)
}
