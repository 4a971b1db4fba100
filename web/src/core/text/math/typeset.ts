import katex from "katex"
import "katex/dist/katex.min.css"
import type { Typeset } from "./createMath.ts"

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

/** The letters of most formulas. */
const FONTS = ["1em KaTeX_Main", "italic 1em KaTeX_Math"]

/** What draws formulas, with the letters of most of them, so that none changes its width afterwards. */
export const loadTypeset = async (): Promise<Typeset> => {
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)))
  return typeset
}
