const MAX_TITLE = 200

/** What may go from the ends of a text; other spaces can be a part of a command's words. */
const ENDS = /^[ \t\r\n]+|[ \t\r\n]+$/g

/** A text without the usual white space at its ends. */
export const trimmed = (text: string): string => text.replace(ENDS, "")

/** The first line of a text, shortened if it's long. */
export const headline = (text: string): string => {
  const whole = trimmed(text)
  const [line = ""] = whole.split("\n", 1)
  return line.length > MAX_TITLE || line !== whole ? `${line.slice(0, MAX_TITLE - 1).trimEnd()}…` : line
}
