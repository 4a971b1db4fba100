import { pageLocale, say } from "../language/say.ts"
import { sumUp, type UsageReport, type UsageSums } from "./usage.ts"

/** The whole days of this month beside as many of the last one. */
interface FairPair {
  /** How many they are, and whether they are all of this month but today; the month before may have been shorter. */
  readonly days: number
  readonly isUntilYesterday: boolean
  readonly now: UsageSums
  readonly before: UsageSums
}

/** This month so far, and the one before. Days and months are in UTC. */
export interface Months {
  readonly today: UsageSums
  readonly now: UsageSums
  readonly before: UsageSums
  /** Null until a day of this month is over. */
  readonly compared: FairPair | null
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

/** How many days the month before had. */
const daysInLastMonth = (now: number): number => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0)).getUTCDate()
}

/** The sums of both months from a report by day that begins with the month before. */
export const monthsOf = ({ rows }: Pick<UsageReport, "rows">, now: number): Months => {
  const today = dayOf(now)
  const before = lastMonth(now).slice(0, 7)
  const month = today.slice(0, 7)
  // Today isn't over, and the month before may have been shorter.
  const days = Math.min(Number(today.slice(8)) - 1, daysInLastMonth(now))
  const of = (isMeant: (day: string) => boolean) => sumUp(rows.filter(({ day }) => isMeant(day)))
  const firstDaysOf = (name: string) => of((day) => day.startsWith(name) && Number(day.slice(8)) <= days)
  return {
    today: of((day) => day === today),
    now: of((day) => day.startsWith(month) && day <= today),
    before: of((day) => day.startsWith(before)),
    compared:
      days < 1
        ? null
        : {
            days,
            isUntilYesterday: days === Number(today.slice(8)) - 1,
            now: firstDaysOf(month),
            before: firstDaysOf(before)
          },
    thisMonth: `${month}-01`,
    lastMonth: `${before}-01`
  }
}

/** Which way a figure went, and by how much; `same` within half a percent. */
export interface Change {
  readonly way: "more" | "less" | "same"
  /** Of what it was: 0.12 for 12 %. */
  readonly share: number
}

/** How a figure changed; nothing if there was none before. */
export const changeOf = (now: number, before: number): Change | undefined => {
  if (before <= 0) return undefined
  const change = now / before - 1
  if (Math.abs(change) < 0.005) return { way: "same", share: 0 }
  return { way: change > 0 ? "more" : "less", share: Math.abs(change) }
}

/** The change in words, beside the same days of another month. */
export const changeText = ({ share, way }: Change, month: string, locale: string = pageLocale): string => {
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(share)
  if (way === "same") return say("as much as in the same days of {month}", { month })
  return way === "more"
    ? say("{percent} more than in the same days of {month}", { percent, month })
    : say("{percent} less than in the same days of {month}", { percent, month })
}
