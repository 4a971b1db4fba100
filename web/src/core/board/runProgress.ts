import type { ChatState } from "../conversation/chatTypes.ts"
import { withoutMediaLines } from "../conversation/history/mediaLines.ts"

const MAX_TEXT = 280

const lastLines = (text: string): string => {
  const line = text
    .replace(/^#+ |[*_`]{1,3}/gm, "")
    .trim()
    .replace(/\s+/g, " ")
  return line.length <= MAX_TEXT ? line : `…${line.slice(-MAX_TEXT)}`
}

/** What an agent is doing right now, in one or two lines: the running tool, otherwise the end of what it is writing. */
export const runProgress = (chat: ChatState): string => {
  const asked = chat.items.findIndex(({ kind }) => kind === "user")
  for (const [index, item] of [...chat.items.entries()].toReversed()) {
    switch (item.kind) {
      case "tool":
        if (item.status === "running") return `Using ${item.title ?? item.name}…`
        break
      case "thinking":
        return item.text.trim() === "" ? "Thinking…" : `Thinking: ${lastLines(item.text)}`
      case "assistant":
        return lastLines(withoutMediaLines(item.text))
      case "user":
        // What the agent is told meanwhile doesn't hide what it's doing.
        if (index > asked) break
        return chat.status === "ready" ? "Getting started…" : ""
    }
  }
  return ""
}
