import { dayMoment, sharedDueDay } from "../../../../src/contract/dueDay.ts"

const DAY_MS = 86_400_000

/** The day of a moment where the reader is, as `2026-12-03`. */
const localDay = (date: Date): string =>
  [
    String(date.getFullYear()).padStart(4, "0"),
    String(date.getMonth() + 1).padStart(2, "0"),
    String(date.getDate()).padStart(2, "0")
  ].join("-")

/**
 * The day that a card is due, as `2026-12-03`: a day is a day, wherever it's read, and only a moment that is no day is
 * the reader's own. `at` is in epoch milliseconds; empty for what is no time.
 */
export const dueDay = (at: number): string => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ""
  const isOwnLastSecond = date.getHours() === 23 && date.getMinutes() === 59 && date.getSeconds() === 59
  return (isOwnLastSecond ? undefined : sharedDueDay(at)) ?? localDay(date)
}

/** Whether a due day is over where the reader is. */
export const isPastDue = (at: number, now: number): boolean =>
  (dayMoment(dueDay(at)) ?? Number.POSITIVE_INFINITY) < (dayMoment(localDay(new Date(now))) ?? 0)

/** By what due dates are sorted: their days, and within a day their moments. */
export const dueOrder = (at: number): number => {
  const day = dayMoment(dueDay(at))
  return day === undefined ? at : day + Math.min(Math.max(at - day, 0), DAY_MS - 1)
}
