import type { MarkedExtension, TokenizerAndRendererExtension } from "marked"
import { escapeHtml } from "../escapeHtml.ts"
import { type Formula, formulaAt, formulaLines, formulaStart, openFormula } from "./mathRules.ts"

const MATH = "math"

const token = (found: Formula | null) => (found === null ? undefined : { type: MATH, ...found })

const sourceHtml = (tex: string, kind: string) => `<code class="math${kind}">${escapeHtml(tex)}</code>`

const inLine: TokenizerAndRendererExtension = {
  name: MATH,
  level: "inline",
  start: formulaStart,
  tokenizer: (text, tokens) => token(formulaAt(text, tokens.at(-1)?.raw ?? "")),
  renderer: ({ tex, isDisplay }) => sourceHtml(String(tex), isDisplay === true ? " is-display" : "")
}

// Paragraphs end before it by the rule of footnotes, which looks for both at once.
const onLines = (isGrowing: boolean): TokenizerAndRendererExtension => ({
  name: "mathLines",
  level: "block",
  tokenizer: (text) => {
    const found = formulaLines(text)
    if (found !== null) return { ...found, type: "mathLines" }
    const open = isGrowing ? openFormula(text) : null
    return open === null ? undefined : { type: "mathLines", raw: text, tex: open, isOpen: true }
  },
  renderer: ({ tex, isOpen }) => `<p>${sourceHtml(String(tex), isOpen === true ? " is-open" : " is-display")}</p>\n`
})

/**
 * Formulas in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, each as its marked source. While a text grows, one without
 * its end goes on to the end of the text.
 */
export const mathExtension = (isGrowing: boolean): MarkedExtension => ({ extensions: [inLine, onLines(isGrowing)] })
