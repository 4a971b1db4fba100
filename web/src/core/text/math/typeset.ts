import katex from "katex"

/** Formulas kept, since a growing text is drawn again and again. */
const KEPT = 300

const known = new Map<string, string | null>()

const draw = (tex: string, isDisplay: boolean): string | null => {
  try {
    return katex.renderToString(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      errorColor: "inherit",
      strict: "ignore",
      trust: false,
      maxSize: 20,
      maxExpand: 500
    })
  } catch {
    return null
  }
}

/** HTML and MathML of a formula; null if it has a mistake. It never leads anywhere and runs nothing. */
export const typeset = (tex: string, isDisplay: boolean): string | null => {
  const key = `${isDisplay ? "+" : "-"}${tex}`
  const found = known.get(key)
  if (found !== undefined) return found
  const html = draw(tex, isDisplay)
  known.set(key, html)
  const oldest = known.keys().next().value
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
  return html
}
