import { decodeChart } from "./chart.ts"
import { type Fields, parseJson, recordOf } from "./decode.ts"
import type { Chart, MarkedPart, MarkedText, TaskMarker } from "./textTypes.ts"

const MAX_TASKS = 5
/** Bytes of a task marker's JSON (SPEC "Task markers"). */
const MAX_TASK_SIZE = 2_048

const TASK_FIELDS = {
  create: [
    "title",
    "description",
    "status",
    "priority",
    "assignee",
    "labels",
    "model",
    "thinking",
    "dueAt",
    "estimateMin"
  ],
  update: ["id", "title", "description", "status", "priority", "assignee", "labels", "result"]
} as const

const OPENINGS = ["[tts:", "[chart:", "[kanban:create]", "[kanban:update]"] as const

/** What stands at `index`: a whole marker, one that is not complete yet, or plain text (null). */
type Found =
  | { readonly kind: "speech"; readonly text: string; readonly end: number }
  | { readonly kind: "chart"; readonly chart: Chart; readonly end: number }
  | { readonly kind: "task"; readonly task: TaskMarker | null; readonly end: number }
  | { readonly kind: "open" }
  | null

/** Characters looked at for the ends of charts, so that a hostile text cannot cost more than linear time. */
const MAX_CHART_SCAN = 2_000_000

/** Finds markers in one text. */
class Scanner {
  private readonly text: string
  private scanned = 0
  private brackets: ReadonlyMap<number, number> | null = null
  /** Where each closing tag was found last, so that a text without one is searched once. */
  private readonly closing = new Map<string, number>()

  constructor(text: string) {
    this.text = text
  }

  /** Index behind the square bracket that closes the one at `start`. */
  private closingBracket(start: number): number | null {
    if (this.brackets === null) {
      const pairs = new Map<number, number>()
      const open: Array<number> = []
      for (let index = 0; index < this.text.length; index++) {
        if (this.text[index] === "[") open.push(index)
        else if (this.text[index] === "]") {
          const opening = open.pop()
          if (opening !== undefined) pairs.set(opening, index + 1)
        }
      }
      this.brackets = pairs
    }
    return this.brackets.get(start) ?? null
  }

  /** Index behind the brace that closes the one at `start`; braces in JSON strings do not count. */
  private closingBrace(start: number): number | null {
    const { text } = this
    let depth = 0
    let quoted = false
    for (let index = start; index < text.length && this.scanned < MAX_CHART_SCAN; index++, this.scanned++) {
      const char = text[index]
      if (quoted) {
        if (char === "\\") index++
        else if (char === '"') quoted = false
      } else if (char === '"') quoted = true
      else if (char === "{") depth++
      else if (char === "}" && --depth === 0) return index + 1
    }
    return null
  }

  /** Index of the next `tag` from `start` on, -1 without one; asked for ever later starts, it reads the text once. */
  private nextTag(tag: string, start: number): number {
    const known = this.closing.get(tag)
    if (known !== undefined && (known < 0 || known >= start)) return known
    const found = this.text.indexOf(tag, start)
    this.closing.set(tag, found)
    return found
  }

  private skipSpaces(from: number): number {
    let index = from
    while (/\s/.test(this.text[index] ?? "")) index++
    return index
  }

  private speech(index: number): Found {
    const end = this.closingBracket(index)
    return end === null
      ? { kind: "open" }
      : { kind: "speech", text: this.text.slice(index + "[tts:".length, end - 1).trim(), end }
  }

  private chart(index: number): Found {
    const brace = this.skipSpaces(index + "[chart:".length)
    if (brace >= this.text.length) return { kind: "open" }
    if (this.text[brace] !== "{") return null
    const end = this.closingBrace(brace)
    const after = end === null ? this.text.length : this.skipSpaces(end)
    if (end === null || after >= this.text.length) return { kind: "open" }
    if (this.text[after] !== "]") return null
    const chart = decodeChart(parseJson(this.text.slice(brace, end)))
    return chart === null ? null : { kind: "chart", chart, end: after + 1 }
  }

  private task(index: number, kind: "create" | "update"): Found {
    const start = index + `[kanban:${kind}]`.length
    const tag = `[/kanban:${kind}]`
    const close = this.nextTag(tag, start)
    if (close < 0) return { kind: "open" }
    return { kind: "task", task: taskOf(kind, this.text.slice(start, close)), end: close + tag.length }
  }

  at(index: number): Found {
    const { text } = this
    if (text.startsWith("[tts:", index)) return this.speech(index)
    if (text.startsWith("[chart:", index)) return this.chart(index)
    if (text.startsWith("[kanban:create]", index)) return this.task(index, "create")
    if (text.startsWith("[kanban:update]", index)) return this.task(index, "update")
    const isLast = text.length - index < "[kanban:create]".length
    return isLast && OPENINGS.some((opening) => opening.startsWith(text.slice(index))) ? { kind: "open" } : null
  }
}

function taskOf(kind: "create" | "update", json: string): TaskMarker | null {
  if (new TextEncoder().encode(json).length > MAX_TASK_SIZE) return null
  const fields = recordOf(parseJson(json))
  if (fields === null) return null
  const required = kind === "create" ? fields.title : fields.id
  if (typeof required !== "string" || required.trim() === "" || (kind === "create" && required.length > 500))
    return null
  const payload: Fields = Object.fromEntries(
    TASK_FIELDS[kind].flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : []))
  )
  return { kind, payload }
}

/**
 * Takes the markers out of an agent's text (SPEC "Agent output markers"): speech (the first is kept), charts at their
 * place, task markers (at most five). Text outside markers is kept to the letter; a chart that is not valid stays text.
 * While `streaming`, a marker whose end has not come yet is hidden; after that it is text.
 */
export function parseMarkers(text: string, streaming = false): MarkedText {
  const scanner = new Scanner(text)
  const parts: Array<MarkedPart> = []
  const tasks: Array<TaskMarker> = []
  let speech: string | null = null
  let plain = ""
  let from = 0
  const flush = () => {
    if (plain !== "") parts.push({ kind: "text", text: plain })
    plain = ""
  }
  for (let index = text.indexOf("["); index >= 0; index = text.indexOf("[", Math.max(index + 1, from))) {
    const found = scanner.at(index)
    if (found === null || (found.kind === "open" && !streaming)) continue
    plain += text.slice(from, index)
    if (found.kind === "open") {
      from = text.length
      break
    }
    from = found.end
    if (found.kind === "speech") speech ??= found.text === "" ? null : found.text
    if (found.kind === "task" && found.task !== null && tasks.length < MAX_TASKS) tasks.push(found.task)
    if (found.kind === "chart") {
      flush()
      parts.push({ kind: "chart", chart: found.chart })
    }
  }
  plain += text.slice(from)
  flush()
  return { parts, text: parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join(""), speech, tasks }
}
