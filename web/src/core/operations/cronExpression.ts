/** Which times a cron expression means; every list is sorted. Weekdays count from Sunday = 0. */
export interface CronFields {
  readonly seconds: ReadonlyArray<number>
  readonly minutes: ReadonlyArray<number>
  readonly hours: ReadonlyArray<number>
  readonly days: ReadonlyArray<number>
  readonly months: ReadonlyArray<number>
  readonly weekdays: ReadonlyArray<number>
  /** The expression leaves the day of the month open. */
  readonly anyDay: boolean
  /** The expression leaves the weekday open. */
  readonly anyWeekday: boolean
}

/** `special` expressions (`L`, `W`, `#`, a year) are right as far as can be said here: only the gateway judges them. */
export type CronReading =
  | { readonly kind: "fields"; readonly fields: CronFields }
  | { readonly kind: "special" }
  | { readonly kind: "invalid"; readonly problem: string }

interface Part {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: ReadonlyArray<string>
}

const SECOND: Part = { name: "second", min: 0, max: 59 }
const MINUTE: Part = { name: "minute", min: 0, max: 59 }
const HOUR: Part = { name: "hour", min: 0, max: 23 }
const DAY: Part = { name: "day of the month", min: 1, max: 31 }
const MONTH: Part = {
  name: "month",
  min: 1,
  max: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
/** 7 is Sunday as well. */
const WEEKDAY: Part = { name: "weekday", min: 0, max: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] }

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *"
}

const FIELD_HELP = "Five parts are needed: minute, hour, day of the month, month, weekday. Such as 0 9 * * 1-5."

const number = (text: string, { min, max, names }: Part): number | null => {
  const named = names?.indexOf(text.toLowerCase().slice(0, 3)) ?? -1
  if (named >= 0 && /^[a-z]+$/i.test(text)) return named + (names?.length === 12 ? 1 : 0)
  if (!/^\d{1,4}$/.test(text)) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}

/** The values of one part, or what is wrong with it. */
const read = (text: string, part: Part): ReadonlyArray<number> | string => {
  const values = new Set<number>()
  for (const item of text.split(",")) {
    const [, range = "", step] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(item) ?? []
    const [from = "", to, ...more] =
      range === "*" || range === "?" ? [String(part.min), String(part.max)] : range.split("-")
    const first = number(from, part)
    const last = to === undefined ? (step === undefined ? first : part.max) : number(to, part)
    const bad = `“${item}” is no ${part.name}: use ${part.min} to ${part.max}.`
    if (first === null || last === null || more.length > 0) return bad
    if (first > last) return `“${item}” goes backwards: begin with the smaller ${part.name}.`
    if (step !== undefined && Number(step) < 1) return bad
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value)
  }
  return [...values].sort((a, b) => a - b)
}

const isOpen = (text: string) => text === "*" || text === "?"

/** Reads a cron expression: five parts, six with seconds first, or a nickname such as `@daily`. */
export const readCron = (expression: string): CronReading => {
  const trimmed = expression.trim()
  const parts = (NICKNAMES[trimmed.toLowerCase()] ?? trimmed).split(/\s+/).filter((part) => part !== "")
  if (parts.length < 5 || parts.length > 7) return { kind: "invalid", problem: FIELD_HELP }
  const [second = "", minute = "", hour = "", day = "", month = "", weekday = "", year] =
    parts.length === 5 ? ["0", ...parts] : parts
  if (year !== undefined || /[lw]/i.test(day) || /l$|#/i.test(weekday)) return { kind: "special" }
  const seconds = read(second, SECOND)
  const minutes = read(minute, MINUTE)
  const hours = read(hour, HOUR)
  const days = read(day, DAY)
  const months = read(month, MONTH)
  const weekdays = read(weekday, WEEKDAY)
  for (const values of [seconds, minutes, hours, days, months, weekdays])
    if (typeof values === "string") return { kind: "invalid", problem: values }
  return {
    kind: "fields",
    fields: {
      seconds: listed(seconds),
      minutes: listed(minutes),
      hours: listed(hours),
      days: listed(days),
      months: listed(months),
      weekdays: [...new Set(listed(weekdays).map((value) => value % 7))].sort((a, b) => a - b),
      anyDay: isOpen(day),
      anyWeekday: isOpen(weekday)
    }
  }
}

const listed = (values: ReadonlyArray<number> | string): ReadonlyArray<number> =>
  typeof values === "string" ? [] : values
