/** Replaces a mark's characters, so that the others keep their positions. */
const NOTHING = "\uffff"
const HEADING = /^ {0,3}#{1,6} +/gm
const QUOTE = /^ {0,3}> ?/gm
const RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$|^ {0,3}(?:```|~~~).*$/gm
const ROW = /^ {0,3}\|.*\|[ \t]*$/gm
const BOLD = /(?<![\w*/\\])\*\*(?=[^\s*/])|(?<=[^\s*/\\])\*\*(?![\w*/])/g
const SLANTED = /(?<![\w*/\\])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*/])/g
const CODE = /`/g
/** A list's item, with its box if it can be ticked. */
const ITEM = /^ {0,8}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm
/** The end of a line that closes with a sign, such as a colon before a list. */
const CLOSED = /\p{Po}[ \t]*\n\s*$/u

/** The length of the text before an item that is checked for a closing sign. */
const ENDING = 20

const blank = (mark: string): string => NOTHING.repeat(mark.length)

/** A row's cells, with a dot between two. */
const cells = (row: string): string => {
  const start = row.indexOf("|")
  const end = row.lastIndexOf("|")
  const within = row.slice(start + 1, end).replaceAll("|", "·")
  return `${blank(row.slice(0, start + 1))}${within}${blank(row.slice(end))}`
}

/** The mark of an item or heading, replaced by a dot if the line before has no closing sign. */
const begun = (mark: string, at: number, text: string): string =>
  at === 0 || CLOSED.test(text.slice(Math.max(0, at - ENDING), at)) ? blank(mark) : `${blank(mark.slice(2))}· `

/** Replaces Markdown marks by placeholders, so that other characters keep their positions; `withoutHidden` removes them. */
export const hideMarks = (text: string): string =>
  text
    .replace(RULE, blank)
    .replace(ROW, cells)
    .replace(ITEM, begun)
    .replace(HEADING, begun)
    .replace(QUOTE, blank)
    .replace(BOLD, blank)
    .replace(SLANTED, (_, words: string) => `${NOTHING}${words}${NOTHING}`)
    .replace(CODE, blank)

export const withoutHidden = (text: string): string => text.replaceAll(NOTHING, "")

/** The position of a query's term in a text. */
export interface HitRange {
  readonly start: number
  readonly end: number
  /** Its index in the query. */
  readonly term: number
}

/** Characters shown of a text, and how many of them before the first hit. */
export const LENGTH = 240
const LEAD = 60

/** Whether a range is in the snippet that begins with another one. */
export const isShownWith = ({ end }: HitRange, first: HitRange): boolean => end <= first.start + LENGTH - LEAD

/** A part of a snippet. */
export interface SnippetPart {
  readonly text: string
  readonly hit: boolean
}

/** A snippet begins with a whole word if one begins within this distance. */
const WORD_SEARCH = 20
const MORE = "…"

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff

/** The position, or the one before if it would split a surrogate pair. */
const between = (text: string, at: number): number => (isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at)

const startAt = (text: string, wanted: number): number => {
  if (wanted <= 0) return 0
  const space = /\s/.exec(text.slice(wanted, wanted + WORD_SEARCH))
  return between(text, space === null ? wanted : wanted + space.index + 1)
}

/** The hit from which most different terms can be shown. */
const best = (ranges: ReadonlyArray<HitRange>): HitRange | undefined => {
  let found = ranges[0]
  let most = 0
  for (const [index, range] of ranges.entries()) {
    const visible = ranges.slice(index).filter((other) => isShownWith(other, range))
    const terms = new Set(visible.map(({ term }) => term)).size
    if (terms > most) {
      most = terms
      found = range
    }
  }
  return found
}

const joined = (ranges: ReadonlyArray<HitRange>): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  const all: Array<{ start: number; end: number }> = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else all.push({ start, end })
  }
  return all
}

/** Returns the surroundings of a text's hits, in one line, and without marks if it's Markdown. */
export const cutSnippet = (
  text: string,
  ranges: ReadonlyArray<HitRange>,
  isMarkdown = false
): ReadonlyArray<SnippetPart> => {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  const from = startAt(text, (best(sorted)?.start ?? 0) - LEAD)
  const to = between(text, Math.min(text.length, from + LENGTH))
  // Marks can begin before the snippet or end behind it, so whole lines are parsed.
  const lineStart = Math.max(text.lastIndexOf("\n", from - 1) + 1, from - LENGTH, 0)
  const lineEnd = text.indexOf("\n", to)
  const around = text.slice(lineStart, Math.min(lineEnd === -1 ? text.length : lineEnd, to + LENGTH))
  const plain = isMarkdown ? hideMarks(around) : around
  const slice = (start: number, end: number) => withoutHidden(plain.slice(start - lineStart, end - lineStart))
  const parts: Array<SnippetPart> = []
  const add = (piece: string, hit: boolean) => {
    const line = piece.replace(/\s+/g, " ")
    if (line !== "") parts.push({ text: line, hit })
  }
  let at = from
  if (from > 0) add(MORE, false)
  for (const { start, end } of joined(sorted.filter((range) => range.end > from && range.start < to))) {
    add(slice(at, Math.max(at, start)), false)
    add(slice(Math.max(at, start), Math.min(end, to)), true)
    at = Math.min(end, to)
  }
  add(`${slice(at, to)}${to < text.length ? MORE : ""}`, false)
  return parts
}
