/** Characters in a line of a message, where it has room. */
const LINE = 75
/** Signs that take twice the room. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60]/gu
/** Lines from which on a message is folded; so many more than it then has that unfolding is worth it. */
const LINES = 16

/** Whether a text fills so many lines of a message that it's folded first. */
export const isLongText = (text: string): boolean => {
  if (text.length > LINES * LINE) return true
  const lines = text.split("\n", LINES)
  if (lines.length === LINES) return true
  const wide = (line: string) => line.match(WIDE)?.length ?? 0
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length + wide(line)) / LINE)), 0) >= LINES
}

/** The start of a long output, and how many characters are left out. */
export const shortened = (text: string, limit: number): { readonly text: string; readonly hidden: number } =>
  text.length <= limit ? { text, hidden: 0 } : { text: text.slice(0, limit), hidden: text.length - limit }
