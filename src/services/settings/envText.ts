const ASSIGNMENT = /^([^\S\n]*(?:export[^\S\n]+)?)([A-Za-z_][\w.-]*)([^\S\n]*=[^\S\n]*)/
const QUOTES = ["'", '"', "`"]

/** Where a variable's value stands in the text: from the first character after `=` and its blanks to the value's end. */
interface Place {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly quote: string
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

/** A quoted value ends at its quote, which may stand lines below; one that never closes ends with its line, as any other. */
const valuePlace = (text: string, start: number): Omit<Place, "name"> => {
  const quote = text[start] ?? ""
  if (QUOTES.includes(quote)) {
    const close = text.indexOf(quote, start + 1)
    if (close !== -1) return { start, end: close + 1, quote }
  }
  const line = text.slice(start, lineEnd(text, start))
  const comment = line.indexOf("#")
  const value = (comment === -1 ? line : line.slice(0, comment)).trimEnd()
  return { start, end: start + value.length, quote: "" }
}

const places = (text: string): ReadonlyArray<Place> => {
  const found: Array<Place> = []
  let at = text.startsWith("\uFEFF") ? 1 : 0
  while (at < text.length) {
    const match = ASSIGNMENT.exec(text.slice(at, lineEnd(text, at)))
    if (match === null) {
      at = lineEnd(text, at) + 1
      continue
    }
    const place = { name: match[2] ?? "", ...valuePlace(text, at + match[0].length) }
    found.push(place)
    at = lineEnd(text, place.end) + 1
  }
  return found
}

/**
 * The text of a `.env` file with variables set: the value of one that is there is replaced in its own quotes, one that is
 * not comes at the end, and every other byte stays (D72). Values are plain words. Of a variable given twice the last
 * counts, so that one is replaced.
 */
export const setInEnvText = (text: string, variables: Readonly<Record<string, string>>): string => {
  const all = places(text)
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  const edits: Array<{ readonly start: number; readonly end: number; readonly value: string }> = []
  let added = ""
  for (const [name, value] of Object.entries(variables)) {
    const place = all.findLast((candidate) => candidate.name === name)
    if (place === undefined) added += `${name}=${value}${newline}`
    else edits.push({ start: place.start, end: place.end, value: `${place.quote}${value}${place.quote}` })
  }
  const changed = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, value }) => whole.slice(0, start) + value + whole.slice(end), text)
  const separator = added === "" || changed === "" || changed.endsWith("\n") ? "" : newline
  return changed + separator + added
}
