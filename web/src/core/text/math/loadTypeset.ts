import "katex/dist/katex.min.css"
import type { Typeset } from "./createMath.ts"
import { typeset } from "./typeset.ts"

/** The letters of most formulas. */
const FONTS = ["1em KaTeX_Main", "italic 1em KaTeX_Math"]

/** What draws formulas, with the letters of most of them, so that none changes its width afterwards. */
export const loadTypeset = async (): Promise<Typeset> => {
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)))
  return typeset
}
