// From its own module: the scanning thread starts without the rest of the library.
import * as Result from "effect/Result"
import { toNano, type UsageRow } from "../UsageRow.ts"

/** What one transcript line says of usage: a row of one answer, and when it was written (ISO 8601, UTC). */
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
/** The gateway's own notes carry no usage of a model. */
const GATEWAY_PROVIDER = "openclaw"
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const text = (value: unknown): string => (typeof value === "string" && value.length > 0 ? value : "unknown")

const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0

const usageOf = (message: unknown, writtenAt: string): UsageLine | undefined => {
  const usage = field(message, "usage")
  if (typeof usage !== "object" || usage === null || field(message, "provider") === GATEWAY_PROVIDER) return undefined
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

/** A line that is no JSON says nothing of usage. */
const parse = (json: string): unknown => Result.getOrUndefined(Result.try((): unknown => JSON.parse(json)))

const readWhole = (line: string): UsageLine | undefined => {
  const value = parse(line)
  const message = field(value, "message")
  const writtenAt = field(value, "timestamp")
  if (field(value, "type") !== "message" || field(message, "role") !== "assistant") return undefined
  return typeof writtenAt === "string" && ISO_TIME.test(writtenAt) ? usageOf(message, writtenAt) : undefined
}

/** Where a needle starts inside `[start, end)`, or -1. */
const find = (buffer: Buffer, needle: Buffer, start: number, end: number): number => {
  const at = buffer.subarray(start, end).indexOf(needle)
  return at === -1 ? -1 : start + at
}

/** How far from its start a line names the role, where it has the usual order of fields. */
const HEAD = 256

/**
 * Reads the usage of one transcript line `[start, end)` (PROTOCOL "Transcript lines"); `undefined` for every line that
 * is no answer of a model, is damaged, or is no message. Of a line in the gateway's usual order of fields only the end,
 * behind the content, is parsed: no text inside a string can look like the unescaped key that marks it.
 */
export const readUsageLine = (buffer: Buffer, start: number, end: number): UsageLine | undefined => {
  const role = find(buffer, MESSAGE_ROLE, start, Math.min(end, start + HEAD))
  if (role !== -1) {
    if (buffer[role + MESSAGE_ROLE.length] !== LETTER_A) return undefined
    const head = buffer.toString("latin1", Math.max(start, role - ISO_LENGTH - TIMESTAMP_KEY.length), role)
    const writtenAt = head.slice(TIMESTAMP_KEY.length)
    const tail = buffer.lastIndexOf(AFTER_CONTENT, end)
    if (tail > role && head.startsWith(TIMESTAMP_KEY) && ISO_TIME.test(writtenAt)) {
      const line = parse(`{"message":{${buffer.toString("latin1", tail + 2, end)}`)
      const usage = usageOf(field(line, "message"), writtenAt)
      if (usage !== undefined) return usage
    }
  }
  if (find(buffer, USAGE, start, end) === -1 || find(buffer, ASSISTANT, start, end) === -1) return undefined
  return readWhole(buffer.toString("utf8", start, end))
}
