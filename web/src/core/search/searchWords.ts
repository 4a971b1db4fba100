/** A filter as it is written in the search field, such as `from:me` or `session:"Daily report"`. */
export interface WrittenFilter {
  readonly name: string
  readonly value: string
}

/** A piece of what was written: a filter, or words to look for as they stand. */
export type WrittenPart = { readonly text: string; readonly filter: WrittenFilter | null }

const PART = /(?:-?"[^"]*"?|[^\s"]+(?:"[^"]*"?)?)/gu
const FILTER = /^(\p{L}+):(?:"([^"]*)"?|([^"]+))$/su

/** The pieces of what was written, in order: a phrase in quotes is one. */
export const partsWritten = (text: string): ReadonlyArray<WrittenPart> =>
  [...text.matchAll(PART)].map(([piece]) => {
    const [, name = "", quoted, plain] = FILTER.exec(piece) ?? []
    const value = (quoted ?? plain ?? "").trim()
    return { text: piece, filter: name === "" || value === "" ? null : { name: name.toLowerCase(), value } }
  })

const written = ({ name, value }: WrittenFilter): string => `${name}:${/\s/.test(value) ? `"${value}"` : value}`

const same = (one: WrittenFilter, other: WrittenFilter): boolean =>
  one.name === other.name && one.value.toLowerCase() === other.value.toLowerCase()

const joined = (pieces: ReadonlyArray<string>): string => pieces.filter((piece) => piece !== "").join(" ")

/** Whether a filter is written. */
export const hasFilter = (text: string, filter: WrittenFilter): boolean =>
  partsWritten(text).some((part) => part.filter !== null && same(part.filter, filter))

/** The text with a filter written if it wasn't, and without it if it was. */
export const withToggled = (text: string, filter: WrittenFilter): string => {
  const parts = partsWritten(text)
  const rest = parts.filter((part) => part.filter === null || !same(part.filter, filter))
  const pieces = rest.map((part) => part.text)
  return joined(rest.length < parts.length ? pieces : [...pieces, written(filter)])
}

/** The text with another value for a filter that has one; an empty value removes it. */
export const withValue = (text: string, name: string, value: string): string => {
  const rest = partsWritten(text).filter((part) => part.filter?.name !== name)
  return joined([...rest.map((part) => part.text), value === "" ? "" : written({ name, value })])
}

/** The value written last for a filter; empty if there is none. */
export const valueOf = (text: string, name: string): string =>
  partsWritten(text).findLast((part) => part.filter?.name === name)?.filter?.value ?? ""
