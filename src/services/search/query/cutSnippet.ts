import { hideMarks, withoutHidden } from "./hideMarks.ts"
import { type HitRange, isShownWith, LEAD, LENGTH } from "./snippetSpan.ts"

/** A piece of what's shown of a text. */
export interface SnippetPart {
  readonly text: string
  readonly hit: boolean
}

/** Whole words are shown where one begins so near. */
const WORD_SEARCH = 20
const MORE = "…"

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff

/** The same place, or one earlier where it would part a character. */
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
    const shown = ranges.slice(index).filter((other) => isShownWith(other, range))
    const terms = new Set(shown.map(({ term }) => term)).size
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

/** What's shown of a text: the surroundings of its hits, in one line, and without the marks if it's Markdown. */
export const cutSnippet = (
  text: string,
  ranges: ReadonlyArray<HitRange>,
  isMarkdown = false
): ReadonlyArray<SnippetPart> => {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  const from = startAt(text, (best(sorted)?.start ?? 0) - LEAD)
  const to = between(text, Math.min(text.length, from + LENGTH))
  // A mark that begins before what's shown, or ends behind it, is known by its whole line.
  const lineStart = Math.max(text.lastIndexOf("\n", from - 1) + 1, from - LENGTH, 0)
  const lineEnd = text.indexOf("\n", to)
  const around = text.slice(lineStart, Math.min(lineEnd === -1 ? text.length : lineEnd, to + LENGTH))
  const shown = isMarkdown ? hideMarks(around) : around
  const slice = (start: number, end: number) => withoutHidden(shown.slice(start - lineStart, end - lineStart))
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
