import type { ChatState } from "../chatTypes.ts"

const MAX_TEXT = 280

const lastLines = (text: string): string => {
  const line = text
    .replace(/^#+ |[*_`]{1,3}/gm, "")
    .trim()
    .replace(/\s+/g, " ")
  return line.length <= MAX_TEXT ? line : `…${line.slice(-MAX_TEXT)}`
}

/** What an agent does just now, in one or two lines: the tool at work, else the end of what it writes. */
export const runProgress = (chat: ChatState): string => {
  for (const item of chat.items.toReversed()) {
    switch (item.kind) {
      case "tool":
        if (item.status === "running") return `Uses ${item.title ?? item.name}…`
        break
      case "thinking":
        return item.text.trim() === "" ? "Thinks…" : `Thinks: ${lastLines(item.text)}`
      case "assistant":
        return lastLines(item.text)
      case "user":
        return chat.status === "ready" ? "Has read the card and begins." : ""
    }
  }
  return ""
}
