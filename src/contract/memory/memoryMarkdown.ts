import { indentOf, type MarkdownLine, markdownLines } from "./markdownLines.ts"

/** A section of a memory file by line numbers: its heading line, and the lines of its content, `to` exclusive. */
export interface MemorySection {
  readonly title: string
  readonly level: number
  readonly headingLine: number
  readonly from: number
  /** End of the content with all subsections. */
  readonly to: number
  /** End of the content before the first subsection. */
  readonly ownTo: number
}

export type MemoryOutlineEntry = { readonly type: "section" | "item"; readonly text: string }

/** A changed file, or `undefined` if there was nothing to change. */
export type MemoryEdit = string | undefined

const lineBreakOf = (file: string) => (/\r\n|\n/.exec(file)?.[0] === "\r\n" ? "\r\n" : "\n")

/** A single first-level heading above deeper ones is the file's title, not a section. */
const isFileTitle = (lines: ReadonlyArray<MarkdownLine>, index: number) => {
  const headings = lines.flatMap((line) => line.heading ?? [])
  return (
    headings.length > 1 &&
    headings[0] === lines[index]?.heading &&
    headings[0]?.level === 1 &&
    headings.slice(1).every((heading) => heading.level > 1)
  )
}

const sectionsOf = (lines: ReadonlyArray<MarkdownLine>): ReadonlyArray<MemorySection> =>
  lines.flatMap((line, index) => {
    const heading = line.heading
    if (heading === undefined || isFileTitle(lines, index)) return []
    const after = (stops: (level: number) => boolean) => {
      const offset = lines.slice(index + 1).findIndex((next) => next.heading !== undefined && stops(next.heading.level))
      return offset === -1 ? lines.length : index + 1 + offset
    }
    return [
      {
        title: heading.title,
        level: heading.level,
        headingLine: index,
        from: index + 1,
        to: after((level) => level <= heading.level),
        ownTo: after(() => true)
      }
    ]
  })

const findSection = (lines: ReadonlyArray<MarkdownLine>, title: string) =>
  sectionsOf(lines).find((section) => section.title === title)

const offsetOf = (file: string, lines: ReadonlyArray<MarkdownLine>, index: number) => lines[index]?.start ?? file.length

/** First line after a bullet's own text, its continuation lines and the bullets nested under it. */
export const bulletEnd = (lines: ReadonlyArray<MarkdownLine>, index: number): number => {
  const indent = lines[index]?.bullet?.indent ?? 0
  let end = index + 1
  for (let next = end; next < lines.length; next++) {
    const line = lines[next]
    if (line === undefined || line.heading !== undefined) break
    if (line.blank) continue
    const isLazy = line.continues && lines[next - 1]?.blank === false
    if (indentOf(line.text) <= indent && !isLazy) break
    end = next + 1
  }
  return end
}

/** A bullet's text with its continuation lines, as one line. */
export const itemText = (lines: ReadonlyArray<MarkdownLine>, index: number): string => {
  const rows = [lines[index]?.bullet?.text ?? ""]
  for (let next = index + 1; lines[next]?.continues; next++) rows.push(lines[next]?.text.trim() ?? "")
  return rows.join(" ")
}

/** Sections and bullets in file order. */
export const memoryOutline = (file: string): ReadonlyArray<MemoryOutlineEntry> => {
  const lines = markdownLines(file)
  return lines.flatMap((line, index): ReadonlyArray<MemoryOutlineEntry> => {
    if (line.heading !== undefined && !isFileTitle(lines, index)) return [{ type: "section", text: line.heading.title }]
    const text = line.bullet === undefined ? "" : itemText(lines, index)
    return text.length > 0 ? [{ type: "item", text }] : []
  })
}

/** A section's content without the blank lines around it; `undefined` if no heading has exactly this title. */
export const readMemorySection = (file: string, title: string): string | undefined => {
  const lines = markdownLines(file)
  const section = findSection(lines, title)
  if (section === undefined) return undefined
  const { from, to } = withoutBlankEdges(lines, section.from, section.to)
  return file.slice(offsetOf(file, lines, from), offsetOf(file, lines, to)).replace(/\r?\n$/, "")
}

const withoutBlankEdges = (lines: ReadonlyArray<MarkdownLine>, from: number, to: number) => {
  let first = from
  let last = to
  while (first < last && lines[first]?.blank) first++
  while (last > first && lines[last - 1]?.blank) last--
  return { from: first, to: last }
}

/** Inserts whole rows between two offsets and keeps the file's line endings; bytes outside stay as they are. */
const splice = (file: string, start: number, end: number, rows: ReadonlyArray<string>): string => {
  const lineBreak = lineBreakOf(file)
  const before = file.slice(0, start)
  const after = file.slice(end)
  const opensLine = before.length === 0 || before.endsWith("\n") || before === "\uFEFF"
  const text = rows.join(lineBreak)
  const endsLine = after.length > 0 || file.length === 0 || file.endsWith("\n")
  return before + (opensLine ? "" : lineBreak) + text + (endsLine && rows.length > 0 ? lineBreak : "") + after
}

/** A line that would become part of a bullet inserted right above it. */
const wouldJoin = (line: MarkdownLine | undefined) =>
  line !== undefined && (line.continues || (line.heading !== undefined && !line.text.trimStart().startsWith("#")))

/** Takes lines out; the break of the last one stays where what is below would go on with what is above. */
const removeRows = (file: string, lines: ReadonlyArray<MarkdownLine>, from: number, to: number): string => {
  const above = lines[from - 1]
  const below = lines[to]
  const isOpen = above !== undefined && !above.blank && above.heading === undefined
  const isApart = below === undefined || below.blank || below.bullet !== undefined || below.heading !== undefined
  const joins = isOpen && (!isApart || wouldJoin(below))
  const end = offsetOf(file, lines, to)
  const kept = joins ? (/\r?\n$/.exec(file.slice(0, end))?.[0] ?? "") : ""
  return file.slice(0, offsetOf(file, lines, from)) + kept + file.slice(end)
}

/** A bullet can't hold a line break, so a text can't add headings or bullets. */
export const oneLine = (text: string): string => text.replace(/\s*[\r\n\u0085\u2028\u2029]+\s*/g, " ").trim()

/**
 * Adds a bullet at the end of a section, in the style of the previous bullet; creates the section at the end of the
 * file if it's missing. `undefined` if the section already has this bullet.
 */
export const addMemoryItem = (file: string, title: string, text: string): MemoryEdit => {
  const lines = markdownLines(file)
  const item = oneLine(text)
  const section = findSection(lines, title)
  if (section === undefined) {
    const separator = file.length === 0 || file === "\uFEFF" || lines.at(-1)?.blank ? [] : [""]
    return splice(file, file.length, file.length, [...separator, `## ${title}`, "", `- ${item}`])
  }
  const own = lines.slice(section.from, section.ownTo)
  if (own.some((line, index) => line.bullet !== undefined && itemText(own, index) === item)) return undefined
  const top = own.findLastIndex((line) => line.bullet !== undefined && line.bullet.indent < 2)
  if (top !== -1) {
    const marker = own[top]?.text.match(/^[ \t]*[-*+]/)?.[0] ?? "-"
    return insertRows(file, lines, bulletEnd(lines, section.from + top), [`${marker} ${item}`])
  }
  const content = withoutBlankEdges(lines, section.from, section.ownTo)
  if (content.from === content.to) return insertRows(file, lines, section.from, [`- ${item}`])
  return insertRows(file, lines, content.to, ["", `- ${item}`])
}

const insertRows = (file: string, lines: ReadonlyArray<MarkdownLine>, index: number, rows: ReadonlyArray<string>) => {
  const at = offsetOf(file, lines, index)
  return splice(file, at, at, wouldJoin(lines[index]) ? [...rows, ""] : rows)
}

/**
 * Replaces a section's content and all its subsections; blank lines around it stay. `undefined` without that section.
 */
export const replaceMemorySection = (file: string, title: string, content: string): MemoryEdit => {
  const lines = markdownLines(file)
  const section = findSection(lines, title)
  if (section === undefined) return undefined
  const filled = withoutBlankEdges(lines, section.from, section.to)
  const range = filled.from === filled.to ? { from: section.from, to: section.from } : filled
  const rows = content.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "").split(/\r?\n/)
  const isEmpty = rows.length === 1 && rows[0]?.trim() === ""
  if (isEmpty) return removeRows(file, lines, range.from, range.to)
  const kept = wouldJoin(lines[range.to]) ? [...rows, ""] : rows
  return splice(file, offsetOf(file, lines, range.from), offsetOf(file, lines, range.to), kept)
}

/** Removes a section's heading with all of its content. `undefined` without that section. */
export const deleteMemorySection = (file: string, title: string): MemoryEdit => {
  const lines = markdownLines(file)
  const section = findSection(lines, title)
  if (section === undefined) return undefined
  return removeRows(file, lines, section.headingLine, section.to)
}

/** Removes every bullet with exactly this text, each with its continuation lines and nested bullets. */
export const deleteMemoryItem = (file: string, text: string): { readonly file: string; readonly deleted: number } => {
  let current = file
  let deleted = 0
  for (;;) {
    const lines = markdownLines(current)
    const index = lines.findIndex((line, at) => line.bullet !== undefined && itemText(lines, at) === text)
    if (index === -1) return { file: current, deleted }
    current = removeRows(current, lines, index, bulletEnd(lines, index))
    deleted++
  }
}
