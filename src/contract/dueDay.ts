import { dateOfDay } from "./calendar.ts"

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
/** A midnight so late in UTC is one west of Greenwich; later ones are in zones of the east, which have more people. */
const LATEST_WEST_MS = 10 * 3_600_000
const LATEST_MS = 8_640_000_000_000_000

const isTime = (at: number): boolean => at >= 0 && at <= LATEST_MS

const utcDay = (at: number): string => dateOfDay(Math.floor(at / DAY_MS))

/** The first moment of a day such as `2026-12-03` in UTC, in epoch milliseconds; `undefined` for what is no day. */
export const dayMoment = (day: string): number | undefined => {
  const [, year, month, date] = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date))
  return isTime(at) && utcDay(at) === day ? at : undefined
}

/**
 * The day that a card is due, as `2026-12-03`, where it's the same for everybody: it's stored as the day's first moment
 * in UTC. What older versions stored is its last second where it was chosen; which zone that was shows in the time.
 * `undefined` for other moments.
 */
export const sharedDueDay = (at: number): string | undefined => {
  if (!isTime(at)) return undefined
  if (at % DAY_MS === 0) return utcDay(at)
  const midnight = (Math.floor(at / 1000) + 1) * 1000
  if (midnight % QUARTER_MS !== 0) return undefined
  const late = midnight % DAY_MS
  return utcDay(late <= LATEST_WEST_MS ? midnight - late - DAY_MS : midnight - late)
}

/** The same for readers who are nowhere: another moment's day is that in UTC. Empty for what is no time. */
export const dueDayInUtc = (at: number): string => sharedDueDay(at) ?? (isTime(at) ? utcDay(at) : "")
