// Imported from its own module, so the scanning thread starts without the rest of the library.
import * as Result from "effect/Result"
import { GATEWAY_NOTES, toNano, type UsageRow } from "../UsageRow.ts"
import { isoTime } from "./isoTime.ts"

/** A transcript line's usage: a row for one answer, and when it was written (ISO 8601, UTC). */
export interface UsageLine extends UsageRow {
  readonly writtenAt: string
}

const USAGE = Buffer.from('"usage"')
const ASSISTANT = Buffer.from('"assistant"')
const MESSAGE_ROLE = Buffer.from('","message":{"role":"')
const AFTER_CONTENT = Buffer.from('],"api":"')
const TIMESTAMP_KEY = '"timestamp":"'
const ISO_LENGTH = 24
const LETTER_A = 0x61
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const text = (value: unknown): string => (typeof value === "string" && value.length > 0 ? value : "unknown")

const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0

const usageOf = (message: unknown, writtenAt: string): UsageLine | undefined => {
  const usage = field(message, "usage")
  if (typeof usage !== "object" || usage === null || field(message, "provider") === GATEWAY_NOTES) return undefined
  const cost = field(field(usage, "cost"), "total")
  const priced = typeof cost === "number" && Number.isFinite(cost) && cost >= 0
  return {
    writtenAt,
    day: writtenAt.slice(0, 10),
    provider: text(field(message, "provider")),
    model: text(field(message, "model")),
    priced,
    messages: 1,
    errors: field(message, "stopReason") === "error" ? 1 : 0,
    input: count(field(usage, "input")),
    output: count(field(usage, "output")),
    cacheRead: count(field(usage, "cacheRead")),
    cacheWrite: count(field(usage, "cacheWrite")),
    nanoDollars: priced ? toNano(cost) : 0
  }
}

/** A line that isn't JSON has no usage. */
const parse = (json: string): unknown => Result.getOrUndefined(Result.try((): unknown => JSON.parse(json)))

const readWhole = (line: string): UsageLine | undefined => {
  const value = parse(line)
  const message = field(value, "message")
  if (field(value, "type") !== "message" || field(message, "role") !== "assistant") return undefined
  const writtenAt = isoTime(field(value, "timestamp")) ?? isoTime(field(message, "timestamp"))
  return writtenAt === undefined ? undefined : usageOf(message, writtenAt)
}

/** Where a needle starts inside `[start, end)`, or -1. */
const find = (buffer: Buffer, needle: Buffer, start: number, end: number): number => {
  const at = buffer.subarray(start, end).indexOf(needle)
  return at === -1 ? -1 : start + at
}

/** How far into a line the role is, with the usual field order. */
const HEAD = 256

/**
 * Reads the usage in a transcript line `[start, end)`; `undefined` if it isn't a model's answer or is damaged. With the
 * gateway's usual field order, only the end after the content is parsed: no text inside a string can look like the
 * unescaped key that marks it.
 */
export const readUsageLine = (buffer: Buffer, start: number, end: number): UsageLine | undefined => {
  const role = find(buffer, MESSAGE_ROLE, start, Math.min(end, start + HEAD))
  if (role !== -1) {
    if (buffer[role + MESSAGE_ROLE.length] !== LETTER_A) return undefined
    const head = buffer.toString("latin1", Math.max(start, role - ISO_LENGTH - TIMESTAMP_KEY.length), role)
    const writtenAt = head.slice(TIMESTAMP_KEY.length)
    const tail = buffer.lastIndexOf(AFTER_CONTENT, end)
    if (tail > role && head.startsWith(TIMESTAMP_KEY) && ISO_TIME.test(writtenAt)) {
      const line = parse(`{"message":{${buffer.toString("utf8", tail + 2, end)}`)
      const usage = usageOf(field(line, "message"), writtenAt)
      if (usage !== undefined) return usage
    }
  }
  if (find(buffer, USAGE, start, end) === -1 || find(buffer, ASSISTANT, start, end) === -1) return undefined
  return readWhole(buffer.toString("utf8", start, end))
}
