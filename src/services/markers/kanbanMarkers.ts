import { jsonObjectEnd, parseJsonObject, skipSpace } from "./jsonObjectEnd.ts"
import { removeSpans, type Span } from "./removeSpans.ts"

/** A task marker as it stands in the text; the payload is any JSON object, decode it where it is used. */
export interface KanbanMarker {
  readonly type: "create" | "update"
  readonly payload: Readonly<Record<string, unknown>>
}

/** What a message held besides its visible text. */
export interface KanbanMarkers {
  /** The first five usable markers, in order (SPEC "Agent output markers"). */
  readonly markers: ReadonlyArray<KanbanMarker>
  /** The text without any task marker, usable or not. */
  readonly text: string
}

const MAX_MARKERS = 5
const MAX_PAYLOAD_BYTES = 2048
/** After so many markers that do not hold an object, objects are no longer looked for: keeps hostile text linear. */
const MAX_BROKEN = 64

const OPEN_TAG = /\[kanban:(create|update)\]/g
const encoder = new TextEncoder()

interface Tag {
  readonly type: "create" | "update"
  readonly start: number
  /** Where the payload begins. */
  readonly end: number
}

const openTags = (text: string): ReadonlyArray<Tag> =>
  Array.from(text.matchAll(OPEN_TAG), (match) => ({
    type: match[1] === "create" ? "create" : "update",
    start: match.index,
    end: match.index + match[0].length
  }))

/** Finds the next occurrence of a string from ever later positions, searching the text once over all. */
const finder = (text: string, wanted: string) => {
  let next = text.indexOf(wanted)
  return (from: number): number => {
    if (next !== -1 && next < from) next = text.indexOf(wanted, from)
    return next
  }
}

interface Found {
  readonly span: Span
  readonly payload: string | undefined
}

const wellFormed = (text: string, tag: Tag, closeTag: string): Found | undefined => {
  const start = skipSpace(text, tag.end)
  if (text.charAt(start) !== "{") return undefined
  const end = jsonObjectEnd(text, start, Math.min(text.length, start + MAX_PAYLOAD_BYTES))
  if (end === -1) return undefined
  const close = skipSpace(text, end)
  if (!text.startsWith(closeTag, close)) return undefined
  return { span: { start: tag.start, end: close + closeTag.length }, payload: text.slice(start, end) }
}

/**
 * Finds the task markers of a message. Each pairs with the close tag after its JSON object, so tags and braces inside
 * strings are harmless; a tag without an object pairs with the nearest close tag, one without a close tag is text.
 * Linear in the length of the text, whatever it holds.
 */
export const kanbanMarkers = (text: string): KanbanMarkers => {
  if (!text.includes("[/kanban:")) return { markers: [], text }
  const tags = openTags(text)
  const closers = {
    create: finder(text, "[/kanban:create]"),
    update: finder(text, "[/kanban:update]")
  }
  const markers: Array<KanbanMarker> = []
  const spans: Array<Span> = []
  let consumed = 0
  let broken = 0
  for (const [index, tag] of tags.entries()) {
    if (tag.start < consumed) continue
    const closeTag = `[/kanban:${tag.type}]`
    const nearest = closers[tag.type](tag.end)
    if (nearest === -1) continue
    const found = broken < MAX_BROKEN ? wellFormed(text, tag, closeTag) : undefined
    if (found === undefined) {
      broken += 1
      const next = tags[index + 1]
      // Another marker opens before the close tag: this one was only mentioned.
      if (next !== undefined && next.start < nearest) continue
      consumed = nearest + closeTag.length
      spans.push({ start: tag.start, end: consumed })
      continue
    }
    consumed = found.span.end
    spans.push(found.span)
    if (markers.length === MAX_MARKERS || found.payload === undefined) continue
    if (encoder.encode(found.payload).length > MAX_PAYLOAD_BYTES) continue
    const payload = parseJsonObject(found.payload)
    if (payload !== undefined) markers.push({ type: tag.type, payload })
  }
  return { markers, text: removeSpans(text, spans) }
}
