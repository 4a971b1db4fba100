import { type Chart, decodeChart } from "./chart.ts"
import { jsonObjectEnd, parseJsonObject, skipSpace } from "./markerJson.ts"
import { type TaskMarker, taskMarkerOf } from "./taskMarker.ts"

/** What is at a position in the text: a whole marker, one whose end is still missing, or plain text (`undefined`). */
export type Found =
  | { readonly kind: "speech"; readonly text: string; readonly end: number }
  | { readonly kind: "chart"; readonly chart: Chart; readonly end: number }
  | { readonly kind: "task"; readonly task: TaskMarker | undefined; readonly end: number }
  | { readonly kind: "open" }
  | undefined

const SPEECH = "[tts:"
const CHART = "[chart:"
const TASKS = { create: "[kanban:create]", update: "[kanban:update]" } as const
const OPENINGS = [SPEECH, CHART, TASKS.create, TASKS.update]
const LONGEST_OPENING = TASKS.create.length

/** Limits on the JSON scanned per text and per task: hostile text can't cost more than linear time. */
const MAX_SCANNED = 4_000_000
const MAX_TASK_JSON = 2_048

/**
 * Finds the markers of one text at increasing positions. Linear in the length of the text, whatever it holds. While
 * the text is still growing, a speech marker only ends when its brackets balance.
 */
export class MarkerScanner {
  private readonly text: string
  private readonly growing: boolean
  private readonly next = new Map<string, number>()
  private brackets: ReadonlyMap<number, number> | undefined
  private scanned = 0

  constructor(text: string, growing: boolean) {
    this.text = text
    this.growing = growing
  }

  at(index: number): Found {
    const { text } = this
    if (text.startsWith(SPEECH, index)) return this.speech(index)
    if (text.startsWith(CHART, index)) return this.chart(index)
    if (text.startsWith(TASKS.create, index)) return this.task(index, "create")
    if (text.startsWith(TASKS.update, index)) return this.task(index, "update")
    const isCutOff = text.length - index < LONGEST_OPENING
    return isCutOff && OPENINGS.some((opening) => opening.startsWith(text.slice(index))) ? { kind: "open" } : undefined
  }

  /** Index of the next `wanted` at or after `from`, or -1. Queries must move forward; the text is read only once. */
  private nextOf(wanted: string, from: number): number {
    const known = this.next.get(wanted)
    if (known !== undefined && (known === -1 || known >= from)) return known
    const found = this.text.indexOf(wanted, from)
    this.next.set(wanted, found)
    return found
  }

  /** Index of the square bracket that closes the one at `start`, counting nested ones. */
  private closingBracket(start: number): number | undefined {
    if (this.brackets === undefined) {
      const pairs = new Map<number, number>()
      const open: Array<number> = []
      for (const { 0: bracket, index } of this.text.matchAll(/[[\]]/g)) {
        const opening = bracket === "[" ? undefined : open.pop()
        if (bracket === "[") open.push(index)
        else if (opening !== undefined) pairs.set(opening, index)
      }
      this.brackets = pairs
    }
    return this.brackets.get(start)
  }

  private objectEnd(start: number, longest: number): number {
    if (this.text.charAt(start) !== "{" || this.scanned > MAX_SCANNED) return -1
    const limit = Math.min(this.text.length, start + longest)
    const end = jsonObjectEnd(this.text, start, limit)
    this.scanned += (end === -1 ? limit : end) - start
    return end
  }

  private speech(index: number): Found {
    const nearest = this.growing ? -1 : this.nextOf("]", index)
    const end = this.closingBracket(index) ?? nearest
    if (end === -1) return { kind: "open" }
    return { kind: "speech", text: this.text.slice(index + SPEECH.length, end).trim(), end: end + 1 }
  }

  private chart(index: number): Found {
    const start = skipSpace(this.text, index + CHART.length)
    if (start >= this.text.length) return { kind: "open" }
    if (this.text.charAt(start) !== "{") return undefined
    const end = this.objectEnd(start, this.text.length)
    const close = end === -1 ? this.text.length : skipSpace(this.text, end)
    if (close >= this.text.length) return { kind: "open" }
    if (this.text.charAt(close) !== "]") return undefined
    const chart = decodeChart(parseJsonObject(this.text.slice(start, end)))
    return chart === null ? undefined : { kind: "chart", chart, end: close + 1 }
  }

  /**
   * A tag pairs with the close tag after its JSON object, so tags inside strings are harmless; otherwise with the
   * nearest.
   */
  private task(index: number, kind: "create" | "update"): Found {
    const body = index + TASKS[kind].length
    const closeTag = `[/kanban:${kind}]`
    const nearest = this.nextOf(closeTag, body)
    if (nearest === -1) return { kind: "open" }
    const start = skipSpace(this.text, body)
    const end = this.objectEnd(start, MAX_TASK_JSON)
    const close = end === -1 ? -1 : skipSpace(this.text, end)
    if (close !== -1 && this.text.startsWith(closeTag, close)) {
      const task = taskMarkerOf(kind, this.text.slice(start, end))
      return { kind: "task", task, end: close + closeTag.length }
    }
    const another = [this.nextOf(TASKS.create, body), this.nextOf(TASKS.update, body)].filter((at) => at !== -1)
    // Another marker opens before the close tag, so this one was only mentioned.
    if (another.some((at) => at < nearest)) return undefined
    return { kind: "task", task: undefined, end: nearest + closeTag.length }
  }
}
