const MAX_TITLE = 200

/** The first line of a text, shortened if it's long. */
export const headline = (text: string): string => {
  const whole = text.trim()
  const [line = ""] = whole.split("\n", 1)
  return line.length > MAX_TITLE || line !== whole ? `${line.slice(0, MAX_TITLE - 1).trimEnd()}…` : line
}
