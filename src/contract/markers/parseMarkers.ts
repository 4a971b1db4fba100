import type { Chart } from "./chart.ts"
import { MarkerScanner } from "./MarkerScanner.ts"
import type { Span } from "./removeSpans.ts"
import type { TaskMarker } from "./taskMarker.ts"

/** Task markers used per message; any others are hidden too. */
const MAX_TASKS = 5

export type MarkedPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "chart"; readonly chart: Chart }

export interface MarkedText {
  /** Text and charts in order; empty texts are left out. */
  readonly parts: ReadonlyArray<MarkedPart>
  /** All visible text. */
  readonly text: string
  /** Text of the first non-empty speech marker. */
  readonly speech: string | null
  /** At most five. */
  readonly tasks: ReadonlyArray<TaskMarker>
  /** Where speech and task markers stand in the source. */
  readonly hidden: ReadonlyArray<Span>
}

/**
 * Takes the markers out of an agent's text: speech (only the first is kept), charts in place, task markers (at most
 * five). Text outside markers is kept to the letter; an invalid chart stays text. While `streaming`, a marker whose
 * end is still missing is hidden; after that it is text. Linear, whatever the text.
 */
export function parseMarkers(text: string, streaming = false): MarkedText {
  const scanner = new MarkerScanner(text, streaming)
  const parts: Array<MarkedPart> = []
  const tasks: Array<TaskMarker> = []
  const hidden: Array<Span> = []
  let speech: string | undefined
  let plain = ""
  let from = 0
  const flush = () => {
    if (plain !== "") parts.push({ kind: "text", text: plain })
    plain = ""
  }
  for (let index = text.indexOf("["); index >= 0; index = text.indexOf("[", Math.max(index + 1, from))) {
    const found = scanner.at(index)
    if (found === undefined || (found.kind === "open" && !streaming)) continue
    plain += text.slice(from, index)
    if (found.kind === "open") {
      from = text.length
      break
    }
    from = found.end
    if (found.kind === "chart") {
      flush()
      parts.push({ kind: "chart", chart: found.chart })
      continue
    }
    hidden.push({ start: index, end: from })
    if (found.kind === "speech") speech ??= found.text
    else if (found.task !== undefined && tasks.length < MAX_TASKS) tasks.push(found.task)
  }
  plain += text.slice(from)
  flush()
  const visible = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("")
  return { parts, text: visible, speech: speech === undefined || speech === "" ? null : speech, tasks, hidden }
}
