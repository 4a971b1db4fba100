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

/** Where the first line begins after an empty one, so no line of a paragraph. */
const PARAGRAPH_END = /\n[ \t]*\n/

/** Where a formula on lines of its own may begin within a paragraph. */
const startOfLines = (text: string): number | undefined => {
  const end = PARAGRAPH_END.exec(text)?.index ?? text.length
  const found = /\n(?= {0,3}(?:\$\$|\\\[))/.exec(text.slice(0, end))
  return found === null ? undefined : found.index + 1
}

const onLines = (isGrowing: boolean): TokenizerAndRendererExtension => ({
  name: "mathLines",
  level: "block",
  start: startOfLines,
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
