import { type MarkdownLine, markdownLines } from "../../../../src/contract/memory/markdownLines.ts"
import { bulletEnd, itemText, oneLine } from "../../../../src/contract/memory/memoryMarkdown.ts"

/** A section's bullet, found by its text; what is under a nested heading belongs to that heading. */
const findItem = (lines: ReadonlyArray<MarkdownLine>, text: string): number => {
  const index = lines.findIndex((line, at) => line.bullet !== undefined && itemText(lines, at) === text)
  return lines.slice(0, index + 1).some((line) => line.heading !== undefined) ? -1 : index
}

const lineBreakAfter = (content: string, line: MarkdownLine | undefined): string =>
  line === undefined ? "" : (/\r?\n$/.exec(content.slice(line.start, line.end))?.[0] ?? "")

/** A section's content with one bullet's text replaced; anything nested under it stays. Null without that bullet. */
export const replaceItem = (content: string, text: string, next: string): string | null => {
  const lines = markdownLines(content)
  const index = findItem(lines, text)
  const first = lines[index]
  if (first === undefined) return null
  const after = lines.slice(index + 1)
  const rows = after.findIndex((line) => !line.continues)
  const last = lines[index + (rows === -1 ? after.length : rows)]
  const marker = /^[ \t]*[-*+][ \t]+/.exec(first.text)?.[0] ?? "- "
  const end = last?.end ?? first.end
  return content.slice(0, first.start) + marker + oneLine(next) + lineBreakAfter(content, last) + content.slice(end)
}

/** A section's content without one bullet and anything nested under it. Null without that bullet. */
export const removeItem = (content: string, text: string): string | null => {
  const lines = markdownLines(content)
  const index = findItem(lines, text)
  const first = lines[index]
  if (first === undefined) return null
  const end = lines[bulletEnd(lines, index)]?.start ?? content.length
  return content.slice(0, first.start) + content.slice(end)
}
