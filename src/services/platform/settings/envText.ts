import { parseDotEnv } from "./readDotEnv.ts"

const ASSIGNMENT = /^([^\S\n]*(?:export[^\S\n]+)?)([A-Za-z_][\w.-]*)([^\S\n]*=[^\S\n]*)/
/** As one character, and as one for each of its bytes. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/
const QUOTES = ["'", '"', "`"]

/** A variable's value's position in the text: from the first character after `=` and blanks to the value's end. */
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

/**
 * A quoted value ends at its quote, possibly lines below; one that's never closed ends with its line, like any other.
 */
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
  let at = BYTE_ORDER_MARK.exec(text)?.[0].length ?? 0
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

type Variables = Readonly<Record<string, string>>

const newlineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")

const withLines = (text: string, lines: string): string =>
  text + (lines === "" || text === "" || text.endsWith("\n") ? "" : newlineOf(text)) + lines

const linesOf = (text: string, variables: Variables): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}${newlineOf(text)}`)
    .join("")

const valuesOf = (text: string) => parseDotEnv(text.replace(BYTE_ORDER_MARK, ""))

const isSame = (left: Partial<Variables>, right: Partial<Variables>): boolean => {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}

/**
 * The text of a `.env` file with variables set: an existing value is replaced within its quotes, a new one is added at
 * the end, and every other byte stays. Values are plain words. If a variable occurs twice, the last one counts and is
 * replaced.
 *
 * Node takes the next line for a value of blanks alone. Where a variable would be lost that way, it's added at the end,
 * after a comment, which ends such a value.
 */
export const setInEnvText = (text: string, variables: Variables): string => {
  const edited = editInPlace(text, variables)
  if (isSame(valuesOf(edited), { ...valuesOf(text), ...variables })) return edited
  return withLines(text, `# Set by Agent Console${newlineOf(text)}${linesOf(text, variables)}`)
}

const editInPlace = (text: string, variables: Variables): string => {
  const all = places(text)
  const edits: Array<{ readonly start: number; readonly end: number; readonly value: string }> = []
  const added: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    const place = all.findLast((candidate) => candidate.name === name)
    if (place === undefined) added[name] = value
    else edits.push({ start: place.start, end: place.end, value: `${place.quote}${value}${place.quote}` })
  }
  const changed = edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, value }) => whole.slice(0, start) + value + whole.slice(end), text)
  return withLines(changed, linesOf(text, added))
}

/** The text of a `.env` file without the whole lines of some variables, which may be several lines each. */
export const withoutVariables = (text: string, isLeftOut: (name: string, value: string) => boolean): string =>
  places(text)
    .filter(({ name, start, end, quote }) => isLeftOut(name, text.slice(start + quote.length, end - quote.length)))
    .toReversed()
    .reduce(
      (whole, { start, end }) =>
        whole.slice(0, whole.lastIndexOf("\n", start - 1) + 1) + whole.slice(lineEnd(whole, end) + 1),
      text
    )
