import type { BudgetPeriod } from "../../contract/budget.ts"

/** From `start` until before `end`, in epoch milliseconds. */
export interface Period {
  readonly start: number
  /** `undefined` if it doesn't end by the clock. */
  readonly end: number | undefined
}

const DAY_MS = 86_400_000
/** No local day begins further from its UTC midnight. */
const FARTHEST_MS = 16 * 60 * 60 * 1000

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  // This calendar has no other eras or numerals than the ISO one, whatever the zone.
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit"
  })
  formats.set(zone, made)
  return made
}

/** A date of the calendar as days since 1970-01-01. */
const dayNumber = (year: number, month: number, day: number): number =>
  Math.floor(Date.UTC(year, month - 1, day) / DAY_MS)

const localDate = (
  at: number,
  zone: string
): { readonly year: number; readonly month: number; readonly day: number } => {
  let [year, month, day] = [1970, 1, 1]
  for (const { type, value } of formatOf(zone).formatToParts(at)) {
    if (type === "year") year = Number(value)
    else if (type === "month") month = Number(value)
    else if (type === "day") day = Number(value)
  }
  return { year, month, day }
}

const localDay = (at: number, zone: string): number => {
  const { day, month, year } = localDate(at, zone)
  return dayNumber(year, month, day)
}

/** The first moment of a local day: 00:00, or later where the clock change skips that. */
const startOfDay = (day: number, zone: string): number => {
  let before = day * DAY_MS - FARTHEST_MS
  let from = day * DAY_MS + FARTHEST_MS
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (localDay(middle, zone) >= day) from = middle
    else before = middle
  }
  return from
}

/** Monday is 0. */
const weekday = (day: number): number => (((day + 3) % 7) + 7) % 7

/** The last period of each kind and zone, because most moments lie in the same one as the moment before. */
const latest = new Map<string, Period>()

/** The days, weeks and months that contain a moment; the other periods don't depend on the clock. */
export const periodAt = (period: BudgetPeriod, zone: string, at: number): Period => {
  if (period === "total" || period === "run") return { start: 0, end: undefined }
  const key = `${period} ${zone}`
  const known = latest.get(key)
  if (known !== undefined && at >= known.start && at < (known.end ?? Infinity)) return known
  const found = foundPeriod(period, zone, at)
  latest.set(key, found)
  return found
}

const foundPeriod = (period: "day" | "week" | "month", zone: string, at: number): Period => {
  const today = localDay(at, zone)
  const between = (first: number, next: number): Period => ({
    start: startOfDay(first, zone),
    end: startOfDay(next, zone)
  })
  if (period === "day") return between(today, today + 1)
  if (period === "month") {
    const { month, year } = localDate(at, zone)
    return between(dayNumber(year, month, 1), dayNumber(year, month + 1, 1))
  }
  const monday = today - weekday(today)
  return between(monday, monday + 7)
}
