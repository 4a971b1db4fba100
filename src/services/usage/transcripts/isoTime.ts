import { dateOfDay } from "../../../contract/calendar.ts"

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
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
