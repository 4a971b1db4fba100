/** One line of a markdown file; `start` to `end` are the offsets of the line with its line break. */
export interface MarkdownLine {
  readonly start: number
  readonly end: number
  /** The line without its line break. */
  readonly text: string
  readonly heading: { readonly level: number; readonly title: string } | undefined
  readonly bullet: { readonly indent: number; readonly marker: string; readonly text: string } | undefined
  readonly blank: boolean
  /** Can continue the previous line's paragraph: not blank, code, a heading, a bullet or the start of another block. */
  readonly continues: boolean
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const BULLET = /^([ \t]*)([-*+])[ \t]+(.*?)[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const BLOCK_START = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|\d{1,9}[.)][ \t])/

/** Columns of leading white space; a tab reaches the next multiple of four. */
export const indentOf = (text: string): number => {
  let columns = 0
  for (const character of text) {
    if (character === " ") columns += 1
    else if (character === "\t") columns += 4 - (columns % 4)
    else break
  }
  return columns
}

const headingOf = (text: string): MarkdownLine["heading"] => {
  const found = HEADING.exec(text)
  if (found === null) return undefined
  const title = (found[2] ?? "").trim()
  return title.length > 0 ? { level: found[1]?.length ?? 1, title } : undefined
}

const bulletOf = (text: string): MarkdownLine["bullet"] => {
  const found = RULE.test(text) ? null : BULLET.exec(text)
  if (found === null) return undefined
  return { indent: indentOf(text), marker: found[2] ?? "-", text: found[3] ?? "" }
}

/**
 * Splits a file into lines without losing a byte: joining the lines with their line breaks gives the same file.
 * Headings (`#` and underlined ones) and bullets inside code fences are plain text. A byte order mark belongs to the
 * first line but not to its text.
 */
export const markdownLines = (file: string): ReadonlyArray<MarkdownLine> => {
  const lines: Array<MarkdownLine> = []
  let fence: string | undefined
  let start = 0
  while (start < file.length) {
    const feed = file.indexOf("\n", start)
    const end = feed === -1 ? file.length : feed + 1
    const raw = file.slice(start, end).replace(/\r?\n$/, "")
    const text = start === 0 && raw.startsWith("\uFEFF") ? raw.slice(1) : raw
    const mark = FENCE.exec(text)?.[1]
    const wasInside = fence !== undefined
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined
    const isCode = wasInside || mark !== undefined
    const heading = isCode ? undefined : headingOf(text)
    const bullet = isCode ? undefined : bulletOf(text)
    const blank = !isCode && text.trim().length === 0
    const plain = !isCode && !blank && heading === undefined && bullet === undefined
    lines.push({
      start,
      end,
      text,
      heading,
      bullet,
      blank,
      continues: plain && !BLOCK_START.test(text) && !RULE.test(text)
    })
    start = end
  }
  return joinUnderlinedHeadings(lines, file)
}

/** An underlined heading becomes one line of two rows, so its underline is never mistaken for content. */
const joinUnderlinedHeadings = (lines: ReadonlyArray<MarkdownLine>, file: string): ReadonlyArray<MarkdownLine> => {
  const joined: Array<MarkdownLine> = []
  for (const line of lines) {
    const underline =
      line.bullet === undefined && line.heading === undefined ? UNDERLINE.exec(line.text)?.[1] : undefined
    const above = joined.at(-1)
    const startsParagraph = joined.at(-2) === undefined || isParagraphBreak(joined.at(-2))
    if (underline !== undefined && above !== undefined && startsParagraph && isUnderlinable(above, joined)) {
      joined[joined.length - 1] = {
        ...above,
        end: line.end,
        text: file.slice(above.start, line.end).replace(/\r?\n$/, ""),
        heading: { level: underline.startsWith("=") ? 1 : 2, title: above.text.trim() },
        continues: false
      }
    } else joined.push(line)
  }
  return joined
}

const isParagraphBreak = (line: MarkdownLine | undefined) =>
  line === undefined || line.blank || line.heading !== undefined

const isUnderlinable = (line: MarkdownLine, lines: ReadonlyArray<MarkdownLine>) =>
  line.continues && indentOf(line.text) < 4 && !isInBullet(line, lines)

/** Whether the last of some lines is a further paragraph of a bullet: what underlines it does so inside that bullet only. */
const isInBullet = (line: MarkdownLine, lines: ReadonlyArray<MarkdownLine>): boolean => {
  const indent = indentOf(line.text)
  const bullet = lines.findLast(
    (above, index) =>
      above.bullet !== undefined ||
      above.heading !== undefined ||
      (startsBlock(lines, index) && indentOf(above.text) < indent)
  )
  return bullet?.bullet !== undefined && bullet.bullet.indent + 2 <= indent
}

const startsBlock = (lines: ReadonlyArray<MarkdownLine>, index: number) =>
  lines[index]?.blank === false && isParagraphBreak(lines[index - 1])
