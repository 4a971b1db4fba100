import { type Chart, chartOf } from "./chart.ts"
import { jsonObjectEnd, parseJsonObject, skipSpace } from "./jsonObjectEnd.ts"
import { removeSpans, type Span } from "./removeSpans.ts"

/** The charts of a message and the text around them. */
export interface ChartMarkers {
  readonly charts: ReadonlyArray<Chart>
  /** The text without the markers of these charts; one that cannot be drawn stays as text. */
  readonly text: string
}

const OPEN_TAG = /\[chart:/g
const MAX_PAYLOAD = 100_000
/** After so many markers without an object, no more are looked for: keeps hostile text linear. */
const MAX_BROKEN = 64

/** Finds chart markers by a scan that balances braces outside strings. Linear in the length of the text. */
export const chartMarkers = (text: string): ChartMarkers => {
  const charts: Array<Chart> = []
  const spans: Array<Span> = []
  let consumed = 0
  let broken = 0
  for (const match of text.matchAll(OPEN_TAG)) {
    if (match.index < consumed) continue
    if (broken === MAX_BROKEN) break
    const start = skipSpace(text, match.index + match[0].length)
    const end = text.charAt(start) === "{" ? jsonObjectEnd(text, start, Math.min(text.length, start + MAX_PAYLOAD)) : -1
    const close = end === -1 ? -1 : skipSpace(text, end)
    const payload = close !== -1 && text.charAt(close) === "]" ? parseJsonObject(text.slice(start, end)) : undefined
    const chart = payload === undefined ? undefined : chartOf(payload)
    if (chart === undefined) {
      broken += 1
      continue
    }
    consumed = close + 1
    charts.push(chart)
    spans.push({ start: match.index, end: consumed })
  }
  return { charts, text: removeSpans(text, spans) }
}
