import { removeSpans, type Span } from "./removeSpans.ts"

/** What a message says aloud, and what of it is shown. */
export interface TtsMarkers {
  /** Text of the first speech marker (SPEC "Agent output markers"). */
  readonly speech: string | undefined
  /** The text without any speech marker. */
  readonly text: string
}

const OPEN_TAG = /\[tts:/g
const BRACKET = /[[\]]/g

/** Closing bracket of every opening one, brackets nested, found in one pass. */
const closingBrackets = (text: string): ReadonlyMap<number, number> => {
  const open: Array<number> = []
  const closing = new Map<number, number>()
  for (const match of text.matchAll(BRACKET)) {
    if (match[0] === "[") open.push(match.index)
    else {
      const start = open.pop()
      if (start !== undefined) closing.set(start, match.index)
    }
  }
  return closing
}

/**
 * Finds speech markers. Brackets inside the spoken text may nest; where they do not balance, the marker ends at the
 * first closing bracket, and one that never ends is text. Linear in the length of the text.
 */
export const ttsMarkers = (text: string): TtsMarkers => {
  if (!text.includes("[tts:")) return { speech: undefined, text }
  const closing = closingBrackets(text)
  const spans: Array<Span> = []
  let speech: string | undefined
  let consumed = 0
  let nearest = text.indexOf("]")
  for (const { index } of text.matchAll(OPEN_TAG)) {
    if (index < consumed) continue
    if (nearest !== -1 && nearest < index) nearest = text.indexOf("]", index)
    const close = closing.get(index) ?? nearest
    if (close === -1) break
    consumed = close + 1
    spans.push({ start: index, end: consumed })
    speech ??= text.slice(index + "[tts:".length, close).trim()
  }
  return { speech, text: removeSpans(text, spans) }
}
