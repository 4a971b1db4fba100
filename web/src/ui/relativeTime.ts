const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago a moment was, in at most a few characters: `now`, `5 min`, `3 h`, `2 d`, then the date. */
export const relativeTime = (at: number, now: number, locale?: string): string => {
  const ago = now - at
  if (ago < MINUTE) return "now"
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min`
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h`
  if (ago < 7 * DAY) return `${Math.floor(ago / DAY)} d`
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }).format(at)
}

/** A moment's time of day, with the date when it was not today. */
export const clockTime = (at: number, now: number, locale?: string): string => {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  const options: Intl.DateTimeFormatOptions = sameDay
    ? { timeStyle: "short" }
    : { dateStyle: "medium", timeStyle: "short" }
  return new Intl.DateTimeFormat(locale, options).format(at)
}

/** A duration in milliseconds as people say it: `0.4 s`, `12 s`, `2 min 5 s`. */
export const duration = (ms: number): string => {
  if (ms < 10_000) return `${(Math.max(ms, 0) / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
