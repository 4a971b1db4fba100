import { type Fields, parseJsonObject } from "./markerJson.ts"

/** A task the agent proposed; the payload keeps the known fields only and is decoded where it is used. */
export interface TaskMarker {
  readonly kind: "create" | "update"
  readonly payload: Fields
}

/** Maximum size of a marker's JSON in bytes. */
const MAX_PAYLOAD_BYTES = 2_048
const MAX_TITLE = 500

const FIELDS = {
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
    "estimateMin",
    "checklist"
  ],
  update: ["id", "title", "description", "status", "priority", "assignee", "labels", "result", "checklist"]
} as const

const encoder = new TextEncoder()

/** Reads a task marker's JSON; `undefined` if it is too large, not an object, or lacks a required field. */
export const taskMarkerOf = (kind: "create" | "update", json: string): TaskMarker | undefined => {
  if (encoder.encode(json).length > MAX_PAYLOAD_BYTES) return undefined
  const fields = parseJsonObject(json)
  const required = kind === "create" ? fields?.title : fields?.id
  if (fields === undefined || typeof required !== "string" || required.trim() === "") return undefined
  if (kind === "create" && Array.from(required).length > MAX_TITLE) return undefined
  const payload = Object.fromEntries(
    FIELDS[kind].flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : []))
  )
  return { kind, payload }
}
