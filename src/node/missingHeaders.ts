/** Headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** The headers to add to an answer: those it has already win, except that `vary` is extended. */
export const missingHeaders = (
  own: Readonly<Record<string, unknown>>,
  records: ReadonlyArray<HeaderRecord>
): HeaderRecord => {
  const missing: Record<string, string> = {}
  for (const record of records) {
    for (const name in record) {
      const value = record[name]
      if (value === undefined) continue
      const present = own[name]
      if (present === undefined) missing[name] = value
      else if (name === "vary" && !String(present).toLowerCase().includes(value.toLowerCase())) {
        missing[name] = `${present}, ${value}`
      }
    }
  }
  return missing
}
