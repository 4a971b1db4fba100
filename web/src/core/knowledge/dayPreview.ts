import { markdownLines } from "../../../../src/contract/memory/markdownLines.ts"
import { itemText, readMemorySection } from "../../../../src/contract/memory/memoryMarkdown.ts"

/** Marks that only say how something looks, or where it leads. */
const PLAIN: ReadonlyArray<readonly [RegExp, string]> = [
  [/!?\[([^\]]*)\]\([^)]*\)/g, "$1"],
  [/^(?:[-*+]|\d{1,9}[.)])[ \t]+/, ""],
  [/^\[[ xX]\][ \t]+/, ""],
  [/^>[ \t]?/, ""],
  [/(\*\*|__|~~|`)(\S(?:.*?\S)?)\1/g, "$2"]
]

const MAX_PREVIEW = 200

/** The first line that says something in a section's content, without its marks; empty if none does. */
export const firstLine = (content: string): string => {
  const lines = markdownLines(content)
  const index = lines.findIndex((line) => !line.blank && line.heading === undefined)
  const line = lines[index]
  if (line === undefined) return ""
  const text = line.bullet === undefined ? line.text : itemText(lines, index)
  return PLAIN.reduce((rest, [mark, plain]) => rest.replace(mark, plain).trim(), text.trim()).slice(0, MAX_PREVIEW)
}

/** What each of a day's sections begins with, by its heading. */
export const dayPreviews = (file: string, headings: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> =>
  headings.map((heading) => [heading, firstLine(readMemorySection(file, heading) ?? "")])
