const QUOTE = 34
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

/**
 * Index after the JSON object that starts at `start` (a `{`), counting braces outside strings; -1 when it doesn't end
 * before `limit`. Looks at each character once.
 */
export const jsonObjectEnd = (text: string, start: number, limit: number): number => {
  let depth = 0
  let inString = false
  for (let at = start; at < limit; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN) depth += 1
    else if (code === CLOSE) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** Index of the first non-whitespace character at or after `from`. */
export const skipSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1
  return at
}

export type Fields = Readonly<Record<string, unknown>>

/** The value if it is an object; `undefined` for anything else, including lists. */
export const objectOf = (value: unknown): Fields | undefined => (isObject(value) ? value : undefined)

/** The object in a piece of JSON; `undefined` if it isn't JSON or isn't an object. */
export const parseJsonObject = (json: string): Fields | undefined => objectOf(parse(json))

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
