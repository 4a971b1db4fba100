import { pageLocale, say } from "../language/say.ts"
import { clockFields, dateFields, daysFrom, isTime, relativeDay, relativeTime } from "./timeText.ts"

const HALF_A_DAY = 12 * 3_600_000

/** A day in a sentence: "today", "yesterday", "tomorrow", "3 Dec", "3 Dec 2027". */
export const dayText = (at: number, now: number, locale: string = pageLocale): string => {
  if (!isTime(at)) return ""
  const days = daysFrom(at, now)
  return Math.abs(days) <= 1
    ? relativeDay(days, locale)
    : new Intl.DateTimeFormat(locale, dateFields(at, now)).format(at)
}

/** A day such as `2026-11-20` as people write it: "20 Nov". */
export const shortDay = (day: string, locale: string = pageLocale): string =>
  isTime(Date.parse(day))
    ? new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(Date.parse(day))
    : day

/** The month of a day such as `2026-11-20`: "November". */
export const monthName = (day: string, locale: string = pageLocale): string =>
  new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }).format(Date.parse(day))

/** A day of the week, counted from Sunday = 0: "Friday", or "Fri" where it's short. */
export const weekdayName = (weekday: number, locale: string = pageLocale, length: "long" | "short" = "long"): string =>
  new Intl.DateTimeFormat(locale, { weekday: length, timeZone: "UTC" }).format(Date.UTC(2026, 10, 22 + weekday))

/** A day such as `2026-11-20` as a heading: "Friday 20 November". */
export const longDay = (day: string, locale: string = pageLocale): string =>
  isTime(Date.parse(day))
    ? new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }).format(
        Date.parse(day)
      )
    : day

/** A day such as `2026-11-20` as a heading beside others: "Today", "Yesterday", "Friday 20 November"; with an older year. */
export const dayHeading = (day: string, now: number, locale: string = pageLocale): string => {
  const at = new Date(`${day}T00:00`)
  if (!isTime(at.getTime())) return day
  const days = daysFrom(at.getTime(), now)
  if (days === 0 || days === -1) {
    const word = relativeDay(days, locale)
    return `${word.charAt(0).toLocaleUpperCase(locale)}${word.slice(1)}`
  }
  if (at.getFullYear() === new Date(now).getFullYear()) return longDay(day, locale)
  const fields = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const
  return new Intl.DateTimeFormat(locale, fields).format(at)
}

/** A date and time of day in a zone, such as "Fri 20 Nov, 09:00"; with the year only if it isn't this one. */
export const momentText = (at: number, zone: string, now = Date.now(), locale: string = pageLocale): string => {
  const year = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: zone })
  return new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(year.format(at) === year.format(now) ? {} : { year: "numeric" }),
    ...clockFields(locale),
    timeZone: zone
  }).format(at)
}

/** Whether a time is so near that it's counted, in which no zone plays a part. */
export const isNear = (at: number, now: number): boolean => Math.abs(at - now) < HALF_A_DAY

/**
 * When something is or was, after a word such as "next": near ones are counted, "in 12 min" or "8 hr ago", and others have
 * their day and time, so that nobody has to work them out: "tomorrow at 09:00", "Fri 16:30", "8 Dec, 09:00".
 */
export const whenText = (at: number, now: number, locale: string = pageLocale): string => {
  if (!isTime(at)) return ""
  if (isNear(at, now)) return relativeTime(at, now, locale)
  const days = daysFrom(at, now)
  const clock = clockFields(locale)
  if (Math.abs(days) <= 1)
    return say("{day} at {time}", {
      day: relativeDay(days, locale),
      time: new Intl.DateTimeFormat(locale, clock).format(at)
    })
  const date = Math.abs(days) < 7 ? ({ weekday: "short" } as const) : dateFields(at, now)
  return new Intl.DateTimeFormat(locale, { ...date, ...clock }).format(at)
}

/** The local time in an IANA zone at a moment, as `2026-11-20T16:30:00`; null for an unknown zone. */
export const wallTime = (at: number, zone: string): string | null => {
  try {
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" })
    return format.format(at).replace(" ", "T")
  } catch {
    return null
  }
}

/** This browser's zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
