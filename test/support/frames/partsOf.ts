import type { Played } from "./playScript.ts"

type Json = Readonly<Record<string, unknown>>

/** A part of an answer or event, and what it is compared as. */
export interface FramePart {
  readonly subject: string
  readonly content: unknown
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Fields of an event that are also in a session's row, but identify the event's subject. */
const OWN = new Set(["sessionKey", "agentId", "ts"])

const withoutNulls = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/**
 * An event carries the row of its session, and repeats its fields beside it; many answers carry the stored session.
 * These are compared once for all that carry them, or each of their fields would be listed dozens of times. Nothing and
 * null are the same in them: clients read them leniently.
 */
export const partsOf = ({ frame, subject }: Played): ReadonlyArray<FramePart> => {
  const { ok, error, event, payload } = frame
  const parts: Array<FramePart> = []
  const take = (fields: Json, name: string, as: string): Json => {
    const { [name]: taken, ...rest } = fields
    if (!isObject(taken)) return fields
    parts.push({ subject: as, content: withoutNulls(taken) })
    return rest
  }
  if (payload === undefined) return [{ subject, content: { ok, error } }]
  if (event === undefined) {
    const rest = take(take(payload, "entry", "stored session"), "sessionInfo", "row in history")
    return [...parts, { subject, content: { ok, payload: rest, ...(ok === true ? {} : { error }) } }]
  }
  const row = payload.session
  if (!isObject(row)) {
    const rest = take(payload, "job", "job in events")
    return [...parts, { subject, content: { payload: rest } }]
  }
  const isRepeated = (name: string) => name in row && !OWN.has(name)
  const fields = Object.entries(take(payload, "session", "row in events"))
  const repeated = Object.fromEntries(fields.filter(([name]) => isRepeated(name)))
  const rest = Object.fromEntries(fields.filter(([name]) => name !== "session" && !isRepeated(name)))
  if (Object.keys(repeated).length > 0) parts.push({ subject: `row beside ${event}`, content: withoutNulls(repeated) })
  return [...parts, { subject, content: { payload: withoutNulls(rest) } }]
}
