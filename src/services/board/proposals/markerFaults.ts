import { Result } from "effect"
import { parseJsonObject } from "../../../contract/markers/markerJson.ts"
import type { Span } from "../../../contract/markers/removeSpans.ts"
import { taskMarkerOf } from "../../../contract/markers/taskMarker.ts"
import { decodeAsk } from "./decodeAsk.ts"

const MARKER = /^\[kanban:(create|update)\]([\s\S]*)\[\/kanban:\1\]$/
const MAX_BYTES = 2_048
/** How many markers of one answer are used. */
const MAX_USED = 5
/** How many faults of one answer are logged. */
const MAX_TOLD = 5
const MAX_NAMES = 5

const encoder = new TextEncoder()

const named = (fields: object): string => {
  const names = Object.keys(fields).slice(0, MAX_NAMES)
  return names.length === 0 ? "" : ` (it has ${names.map((name) => name.slice(0, 40)).join(", ")})`
}

/** Why a marker with this content can't be used; `undefined` if it can. */
const faultOf = (kind: "create" | "update", inside: string): string | undefined => {
  if (encoder.encode(inside).length > MAX_BYTES) return "it's longer than 2 KB"
  const fields = parseJsonObject(inside)
  if (fields === undefined) return "its content isn't a JSON object"
  const marker = taskMarkerOf(kind, inside)
  if (marker !== undefined) {
    const ask = decodeAsk(kind, marker.payload)
    return Result.isFailure(ask) ? ask.failure.message.replace(/^payload\./, "") : undefined
  }
  if (kind === "update") return `it needs a task id${named(fields)}`
  return fields.title === undefined ? `it needs a title${named(fields)}` : "its title must have 1 to 500 characters"
}

/**
 * Why task markers of an answer were ignored, briefly; `spans` are the markers' positions in it.
 */
export const markerFaults = (answer: string, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const faults: Array<string> = []
  let used = 0
  for (const { start, end } of spans) {
    const found = MARKER.exec(answer.slice(start, end))
    if (found === null) continue
    const kind = found[1] === "update" ? "update" : "create"
    const fault = faultOf(kind, (found[2] ?? "").trim())
    if (fault === undefined) used += 1
    if (fault !== undefined) faults.push(`a [kanban:${kind}] marker was ignored: ${fault}`)
    else if (used > MAX_USED)
      faults.push(`a [kanban:${kind}] marker was ignored: only ${MAX_USED} per answer are allowed`)
  }
  const more = faults.length - MAX_TOLD
  return more > 0 ? [...faults.slice(0, MAX_TOLD), `${more} more markers were ignored`] : faults
}
