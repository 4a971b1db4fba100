const START = /^\s*<(!doctype html|html|svg)[\s>]/i
/** Longer than any fence within a document. */
const FENCE = "`".repeat(12)

/** A response that is a document itself becomes a block of code, with what follows the document after it. */
export const asFence = (text: string): string => {
  const kind = START.exec(text)?.[1]?.toLowerCase()
  if (kind === undefined) return text
  const name = kind === "svg" ? "svg" : "html"
  const closing = `</${name}>`
  const start = text.trimStart()
  const end = start.toLowerCase().indexOf(closing)
  const opened = `${FENCE}${name}\n`
  if (end < 0) return opened + start
  const after = end + closing.length
  return `${opened}${start.slice(0, after)}\n${FENCE}\n\n${start.slice(after).trimStart()}`
}
