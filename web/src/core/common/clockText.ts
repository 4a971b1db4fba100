import { pageLocale } from "../language/say.ts"

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
