import { pageLocale, say } from "../language/say.ts"

const tenths = new Intl.NumberFormat(pageLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const UNITS: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
]

/** How long ago a time was, such as "5 min. ago"; "now" within a minute, and for unknown times. */
export function relativeTime(at: number, now: number, locale: string = pageLocale): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })
  const past = at > 0 ? at - now : 0
  const unit = UNITS.find(([, size]) => Math.abs(past) >= size)
  return unit === undefined ? format.format(0, "second") : format.format(Math.trunc(past / unit[1]), unit[0])
}

/** A span in milliseconds, such as "850 ms", "4.2 s", "3 min 20 s" or "2 h 5 min". */
export function duration(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 999.5) return say("{count} ms", { count: Math.round(span) })
  if (span < 9_950) return say("{count} s", { count: tenths.format(span / 1_000) })
  const seconds = Math.round(span / 1_000)
  if (seconds < 60) return say("{count} s", { count: seconds })
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60)
    return seconds % 60 === 0
      ? say("{count} min", { count: minutes })
      : say("{minutes} min {seconds} s", { minutes, seconds: seconds % 60 })
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0
    ? say("{count} h", { count: hours })
    : say("{hours} h {minutes} min", { hours, minutes: minutes % 60 })
}

/** How long somebody worked: a part of a second is less than one. */
export const workTime = (ms: number): string => (ms < 999.5 ? say("{count} s", { count: "<1" }) : duration(ms))

/** A span as a clock shows it, such as "0:05", "3:20" or "1:02:05". */
export function clockSpan(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000)
  const two = (value: number) => String(value).padStart(2, "0")
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** The time left: in minutes, rounded up, until the last one, such as "4 min" or "40 s". */
export const timeLeft = (ms: number): string =>
  ms > 60_000
    ? say("{count} min", { count: Math.ceil(ms / 60_000) })
    : say("{count} s", { count: Math.max(0, Math.ceil(ms / 1_000)) })

export const isTime = (at: number): boolean => !Number.isNaN(new Date(at).getTime())

/** Whether a time of day has two halves. English without a region has the one of the reader's system. */
const hasHalves = (locale: string): boolean => {
  const { hourCycle } = new Intl.DateTimeFormat(locale === "en" ? undefined : locale, {
    hour: "numeric"
  }).resolvedOptions()
  return hourCycle === "h11" || hourCycle === "h12"
}

/** The fields of a time of day, the same everywhere on the page: "7:39 AM" or "07:39". */
export const clockFields = (locale: string = pageLocale): Intl.DateTimeFormatOptions =>
  hasHalves(locale)
    ? { hour: "numeric", minute: "2-digit", hourCycle: "h12" }
    : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }

/** A time of day that belongs to no date, such as one of a schedule. */
export const clockText = (hour: number, minute: number, locale: string = pageLocale): string =>
  new Intl.DateTimeFormat(locale, { ...clockFields(locale), timeZone: "UTC" }).format(
    Date.UTC(2026, 0, 1, hour, minute)
  )

/** Days between the local dates of two moments: -1 for yesterday. */
export const daysFrom = (at: number, now: number): number => {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  return Math.round((midnight(at) - midnight(now)) / 86_400_000)
}

/** Day and month; the year only if it isn't this one. */
export const dateFields = (at: number, now: number): Intl.DateTimeFormatOptions => ({
  day: "numeric",
  month: "short",
  ...(new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" })
})

export const relativeDay = (days: number, locale: string = pageLocale): string =>
  new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day")

/** Date and time in full, for tooltips; an unknown time is left out. */
export const fullTime = (at: number, locale: string = pageLocale): string =>
  isTime(at)
    ? new Intl.DateTimeFormat(locale, {
        weekday: "long",
        day: "numeric",
        month: "long",
        year: "numeric",
        ...clockFields(locale)
      }).format(at)
    : ""

/** The machine-readable time; an unknown time is left out. */
export const isoTime = (at: number): string => (isTime(at) ? new Date(at).toISOString() : "")

/** Time of day, with the day if it isn't today: "14:05", "Yesterday, 14:05", "3 Dec, 14:05". */
export function clockTime(at: number, now: number, locale: string = pageLocale): string {
  if (!isTime(at)) return ""
  const time = clockFields(locale)
  const days = daysFrom(at, now)
  if (days !== -1)
    return new Intl.DateTimeFormat(locale, days === 0 ? time : { ...time, ...dateFields(at, now) }).format(at)
  const yesterday = relativeDay(-1, locale)
  return say("{day}, {time}", {
    day: `${yesterday.charAt(0).toUpperCase()}${yesterday.slice(1)}`,
    time: new Intl.DateTimeFormat(locale, time).format(at)
  })
}

/** The time of day for today's sessions, otherwise the day. */
export const shortTime = (at: number, now: number, locale: string = pageLocale): string => {
  if (!isTime(at) || at <= 0) return ""
  const fields = daysFrom(at, now) === 0 ? clockFields(locale) : dateFields(at, now)
  return new Intl.DateTimeFormat(locale, fields).format(at)
}
