const UNITS: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000]
]

/** How long ago a time was, such as "5 min. ago"; "now" within a minute, and for times that are not known. */
export function relativeTime(at: number, now: number, locale?: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" })
  const past = at > 0 ? at - now : 0
  const unit = UNITS.find(([, size]) => Math.abs(past) >= size)
  return unit === undefined ? format.format(0, "second") : format.format(Math.trunc(past / unit[1]), unit[0])
}

/** A span in milliseconds, such as "850 ms", "4.2 s", "3 min 20 s" or "2 h 5 min". */
export function duration(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 999.5) return `${Math.round(span)} ms`
  if (span < 9_950) return `${(span / 1_000).toFixed(1)} s`
  const seconds = Math.round(span / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Time of day, with the date when it is not today's. */
export function clockTime(at: number, now: number, locale?: string): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  const date = sameDay ? {} : ({ day: "numeric", month: "short" } as const)
  return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", ...date }).format(at)
}
