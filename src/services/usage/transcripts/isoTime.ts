const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const DAY_MS = 86_400_000
/** The years that four digits can write. */
const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z")
const LATEST = Date.parse("9999-12-31T23:59:59.999Z")

const digits = (value: number, count: number): string => String(value).padStart(count, "0")

/** Days since 1970 as `YYYY-MM-DD`, by counting from a first of March in years of 400. */
const dateOf = (day: number): string => {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * ofYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(ofYear - Math.floor((153 * march + 2) / 5) + 1, 2)}`
}

/**
 * A time as the gateway writes it: ISO 8601, UTC, with milliseconds. Other formats and epoch milliseconds are converted
 * to it, so that times compare as text. Doesn't use the library, which the scanning thread doesn't load.
 */
export const isoTime = (time: unknown): string | undefined => {
  if (typeof time === "string" && ISO_TIME.test(time)) return time
  const ms = Math.floor(typeof time === "string" ? Date.parse(time) : typeof time === "number" ? time : Number.NaN)
  if (!(ms >= EARLIEST && ms <= LATEST)) return undefined
  const day = Math.floor(ms / DAY_MS)
  const rest = ms - day * DAY_MS
  const [hours, minutes, seconds] = [rest / 3_600_000, (rest / 60_000) % 60, (rest / 1000) % 60].map(Math.floor)
  return `${dateOf(day)}T${[hours, minutes, seconds].map((part) => digits(part ?? 0, 2)).join(":")}.${digits(rest % 1000, 3)}Z`
}
