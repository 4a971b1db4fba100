/** A date of the calendar; months count from 1. */
export interface LocalDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  // This calendar has no other eras or numerals than the ISO one, whatever the zone.
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit"
  })
  formats.set(zone, made)
  return made
}

/** The date in a zone at a time in epoch milliseconds. */
export const localDate = (at: number, zone: string): LocalDate => {
  let [year, month, day] = [1970, 1, 1]
  for (const { type, value } of formatOf(zone).formatToParts(at)) {
    if (type === "year") year = Number(value)
    else if (type === "month") month = Number(value)
    else if (type === "day") day = Number(value)
  }
  return { year, month, day }
}
