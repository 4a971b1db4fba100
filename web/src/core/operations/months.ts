import { sumUp, type UsageReport, type UsageSums } from "./usage.ts"

/** This month so far, and the one before: by the same day, and in all. Days and months are in UTC. */
export interface Months {
  readonly today: UsageSums
  readonly now: UsageSums
  readonly bySameDay: UsageSums
  readonly before: UsageSums
  /** Their first days, `YYYY-MM-01`. */
  readonly thisMonth: string
  readonly lastMonth: string
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The first day of the month before. */
export const lastMonth = (now: number): string => {
  const date = new Date(now)
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1))
}

/** The sums of both months from a report by day that begins with the month before. */
export const monthsOf = ({ rows }: Pick<UsageReport, "rows">, now: number): Months => {
  const today = dayOf(now)
  const before = lastMonth(now).slice(0, 7)
  const month = today.slice(0, 7)
  const dayOfMonth = today.slice(8)
  const of = (isMeant: (day: string) => boolean) => sumUp(rows.filter(({ day }) => isMeant(day)))
  return {
    today: of((day) => day === today),
    now: of((day) => day.startsWith(month) && day <= today),
    bySameDay: of((day) => day.startsWith(before) && day.slice(8) <= dayOfMonth),
    before: of((day) => day.startsWith(before)),
    thisMonth: `${month}-01`,
    lastMonth: `${before}-01`
  }
}

/** How a figure compares with an earlier one: "12% more than", "as much as"; nothing if there was none. */
export const comparison = (now: number, before: number, locale?: string): string | undefined => {
  if (before <= 0) return undefined
  const change = now / before - 1
  const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(Math.abs(change))
  if (Math.abs(change) < 0.005) return "as much as"
  return change > 0 ? `${share} more than` : `${share} less than`
}
