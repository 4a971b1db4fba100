// Imported from its own module, so the scanning thread starts without the rest of the library.
import * as Result from "effect/Result"
import { dateOfDay } from "../../../contract/calendar.ts"
import { GATEWAY_NOTES, toNano, type UsageRow } from "../UsageRow.ts"

const DAY_MS = 86_400_000
/** The years that four digits can write. */
const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z")
const LATEST = Date.parse("9999-12-31T23:59:59.999Z")

const digits = (value: number, count: number): string => String(value).padStart(count, "0")

/**
 * A time as the gateway writes it: ISO 8601, UTC, with milliseconds. Other formats and epoch milliseconds are converted
 * to it, so that times compare as text. Doesn't use the library, which the scanning thread doesn't load.
 */
export const isoTime = (time: unknown): string | undefined => {
  if (typeof time === "string" && ISO_TIME.test(time)) return time
  const ms = Math.floor(typeof time === "string" ? Date.parse(time) : typeof time === "number" ? time : Number.NaN)
  if (!(ms >= EARLIEST && ms <= LATEST)) return undefined
  const day = Math.floor(ms / DAY_MS)
  const rest = ms - day * DAY_MS
  const [hours, minutes, seconds] = [rest / 3_600_000, (rest / 60_000) % 60, (rest / 1000) % 60].map(Math.floor)
  return `${dateOfDay(day)}T${[hours, minutes, seconds].map((part) => digits(part ?? 0, 2)).join(":")}.${digits(rest % 1000, 3)}Z`
}

/** A transcript line's usage: a row for one answer. */
export interface UsageLine extends UsageRow {
  /** When it was written: ISO 8601, UTC. */
  readonly writtenAt: string
  /** The gateway's id of the message, else the response's; `undefined` for a line that has neither. */
  readonly id: string | undefined
  /** The row that versions counted which only read plain numbers, where it was another one. */
  readonly formerRow?: UsageRow
}

const USAGE = Buffer.from('"usage"')
const ASSISTANT = Buffer.from('"assistant"')
const MESSAGE_ROLE = Buffer.from('","message":{"role":"')
const AFTER_CONTENT = Buffer.from('],"api":"')
const TIMESTAMP_KEY = '"timestamp":"'
const ISO_LENGTH = 24
const LETTER_A = 0x61
/** With the usual field order, and nothing in it that JSON would have to unpack. */
const ID = /^\{"type":"message","id":"([^"\\]+)",/
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const nonEmpty = (value: unknown): string | undefined =>
  typeof value === "string" && value.length > 0 ? value : undefined

const text = (value: unknown): string => nonEmpty(value) ?? "unknown"

const PLAIN_NUMBER = /^\$?(\d+(?:\.\d*)?(?:e[+-]?\d+)?)$/i

/** A number that isn't negative, also one written as text. */
const amount = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? Number(PLAIN_NUMBER.exec(value.trim())?.[1]) : value
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined
}

const plainAmount = (value: unknown): number | undefined => (typeof value === "number" ? amount(value) : undefined)

const TOKENS = ["input", "output", "cacheRead", "cacheWrite"] as const

/**
 * What an answer cost; `undefined` if nobody said. Gateways write zeros for models without a price, so that zero is a
 * price only where no tokens were used.
 */
const costOf = (cost: unknown, tokens: number): number | undefined => {
  const total = amount(field(cost, "total")) ?? amount(cost)
  if (total !== undefined && total > 0) return total
  const parts = TOKENS.reduce((sum, name) => sum + (amount(field(cost, name)) ?? 0), 0)
  return parts > 0 ? parts : tokens === 0 ? total : undefined
}

const sumsOf = (usage: object, read: (value: unknown) => number | undefined) => {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = TOKENS.map((name) =>
    Math.round(read(field(usage, name)) ?? 0)
  )
  return { input, output, cacheRead, cacheWrite }
}

const priceOf = (cost: number | undefined) => ({
  priced: cost !== undefined,
  nanoDollars: cost === undefined ? 0 : toNano(cost)
})

/** What a response cost by its usage, in billionths of a dollar; `undefined` if nobody says. */
export const priceOfUsage = (usage: unknown): number | undefined => {
  if (typeof usage !== "object" || usage === null) return undefined
  const { cacheRead, cacheWrite, input, output } = sumsOf(usage, amount)
  const cost = costOf(field(usage, "cost"), input + output + cacheRead + cacheWrite)
  return cost === undefined ? undefined : toNano(cost)
}

const usageOf = (message: unknown, writtenAt: string, id: string | undefined): UsageLine | undefined => {
  const usage = field(message, "usage")
  if (typeof usage !== "object" || usage === null || field(message, "provider") === GATEWAY_NOTES) return undefined
  const about = {
    day: writtenAt.slice(0, 10),
    provider: text(field(message, "provider")),
    model: text(field(message, "model")),
    messages: 1,
    errors: field(message, "stopReason") === "error" ? 1 : 0
  }
  const sums = sumsOf(usage, amount)
  const price = priceOf(costOf(field(usage, "cost"), sums.input + sums.output + sums.cacheRead + sums.cacheWrite))
  const formerSums = sumsOf(usage, plainAmount)
  const formerPrice = priceOf(plainAmount(field(field(usage, "cost"), "total")))
  const isOther =
    TOKENS.some((name) => sums[name] !== formerSums[name]) ||
    price.priced !== formerPrice.priced ||
    price.nanoDollars !== formerPrice.nanoDollars
  return {
    ...about,
    ...sums,
    ...price,
    writtenAt,
    id: id ?? nonEmpty(field(message, "responseId")),
    ...(isOther ? { formerRow: { ...about, ...formerSums, ...formerPrice } } : {})
  }
}

/** Values that some writers put into JSON, though it has no words for them. */
const NO_NUMBER = /:\s*(?:NaN|-?Infinity)(?=\s*[,}])/g

const parseStrictly = (json: string) => Result.try((): unknown => JSON.parse(json))

/** A line that isn't JSON has no usage. */
const parse = (json: string): unknown =>
  Result.getOrUndefined(
    Result.orElse(parseStrictly(json), (cause) =>
      NO_NUMBER.test(json) ? parseStrictly(json.replace(NO_NUMBER, ":null")) : Result.fail(cause)
    )
  )

const readWhole = (line: string): UsageLine | undefined => {
  const value = parse(line)
  const message = field(value, "message")
  if (field(value, "type") !== "message" || field(message, "role") !== "assistant") return undefined
  const writtenAt = isoTime(field(value, "timestamp")) ?? isoTime(field(message, "timestamp"))
  return writtenAt === undefined ? undefined : usageOf(message, writtenAt, nonEmpty(field(value, "id")))
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
      const id = ID.exec(buffer.toString("latin1", start, role))?.[1]
      const usage = id === undefined ? undefined : usageOf(field(line, "message"), writtenAt, id)
      if (usage !== undefined) return usage
    }
  }
  if (find(buffer, USAGE, start, end) === -1 || find(buffer, ASSISTANT, start, end) === -1) return undefined
  return readWhole(buffer.toString("utf8", start, end))
}
