/** A piece of a text, from `start` to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

const lineBreakAt = (text: string, at: number): number => {
  if (text.startsWith("\r\n", at)) return 2
  return text.charAt(at) === "\n" ? 1 : 0
}

/**
 * The text without the spans (in order, not overlapping); a line that held nothing else is removed with its line
 * break.
 */
export const removeSpans = (text: string, spans: ReadonlyArray<Span>): string => {
  const kept: Array<string> = []
  let before = "\n"
  let from = 0
  for (const { start, end } of spans) {
    if (start > from) {
      kept.push(text.slice(from, start))
      before = text.charAt(start - 1)
    }
    from = before === "\n" ? end + lineBreakAt(text, end) : end
  }
  kept.push(text.slice(from))
  return kept.join("")
}
