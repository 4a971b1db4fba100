import type { BudgetPeriod } from "../../contract/budget.ts"
import { localDate } from "../platform/localDate.ts"

/** From `start` until before `end`, in epoch milliseconds. */
export interface Period {
  readonly start: number
  /** `undefined` if it doesn't end by the clock. */
  readonly end: number | undefined
}

const DAY_MS = 86_400_000
/** No local day begins further from its UTC midnight. */
const FARTHEST_MS = 16 * 60 * 60 * 1000

/** A date of the calendar as days since 1970-01-01. */
const dayNumber = (year: number, month: number, day: number): number =>
  Math.floor(Date.UTC(year, month - 1, day) / DAY_MS)

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
