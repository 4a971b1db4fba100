import { parseMarkers } from "../../../../src/contract/markers/parseMarkers.ts"
import { withoutMediaLines } from "../conversation/history/mediaLines.ts"

/** Longest text the console's server speaks at once. */
const MAX_LENGTH = 5_000

/** Markdown as someone would read it aloud: no code, addresses or symbols. */
const withoutMarkup = (markdown: string): string =>
  markdown
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/^\s*\|?[\s:|-]+\|?\s*$/gm, "")
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/https?:\/\/\S+/g, "")
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+\.)\s+/gm, "")
    .replace(/[*_~`|]+/g, " ")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim()

const shortened = (text: string): string => {
  if (text.length <= MAX_LENGTH) return text
  const cut = text.slice(0, MAX_LENGTH)
  const end = Math.max(cut.lastIndexOf(". "), cut.lastIndexOf("\n"), cut.lastIndexOf("。"))
  return cut.slice(0, end > MAX_LENGTH / 2 ? end + 1 : MAX_LENGTH).toWellFormed()
}

/** What to read aloud from a response: its first speech marker, otherwise all of it; "" for nothing. */
export const spokenReply = (answer: string): string => {
  const { speech, text } = parseMarkers(withoutMediaLines(answer))
  return shortened(speech ?? withoutMarkup(text))
}
