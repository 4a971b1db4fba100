/** Response headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** What the records add to an answer's own headers: one that it has already stays, but `vary` grows. */
export const missingHeaders = (own: HeaderRecord, records: ReadonlyArray<HeaderRecord>): HeaderRecord => {
  const missing: Record<string, string> = {}
  for (const record of records) {
    for (const name in record) {
      const value = record[name]
      if (value === undefined) continue
      const present = own[name]
      if (present === undefined) missing[name] = value
      else if (name === "vary" && !present.toLowerCase().includes(value.toLowerCase())) {
        missing[name] = `${present}, ${value}`
      }
    }
  }
  return missing
}
