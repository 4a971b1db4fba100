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

const onLines: TokenizerAndRendererExtension = {
  name: "mathLines",
  level: "block",
  start: (text) => /^ {0,3}(?:\$\$|\\\[)/m.exec(text)?.index,
  tokenizer: (text) => {
    const found = formulaLines(text)
    if (found !== null) return { ...found, type: "mathLines" }
    const open = openFormula(text)
    return open === null ? undefined : { type: "mathLines", raw: text, tex: open, isOpen: true }
  },
  renderer: ({ tex, isOpen }) => `<p>${sourceHtml(String(tex), isOpen === true ? " is-open" : " is-display")}</p>\n`
}

/** Formulas in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, each as its marked source. */
export const MATH_EXTENSION: MarkedExtension = { extensions: [inLine, onLines] }
