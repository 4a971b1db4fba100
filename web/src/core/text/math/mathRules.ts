import type { MarkedExtension, TokenizerAndRendererExtension } from "marked"
import { escapeHtml } from "../safeHtml.ts"

/** A formula at the beginning of a text. */
interface Formula {
  /** The text with its delimiters. */
  readonly raw: string
  readonly tex: string
  /** On a line of its own. */
  readonly isDisplay: boolean
}

/** Longest formula; what is longer is no formula that a person reads. */
const MAX_TEX = 4_000

const DISPLAY_DOLLARS = /^\$\$([^$]+?)\$\$(?!\$)/
const DISPLAY_BRACKETS = /^\\\[([\s\S]+?)\\\]/
const INLINE_PARENTHESES = /^\\\(([\s\S]+?)\\\)/
const INLINE_DOLLARS = /^\$(?![\s$])((?:\\[\s\S]|[^\\$\n]|\n(?!\n))*?)(?<!\s)\$(?![\w${(])/
const WORD_BEFORE = /[\w$\\]$/
/** What tells a formula from two prices in a sentence. */
const NOTATION = /[\\^_=+<>|{}]/
const SEVERAL_WORDS = /\s\S*[\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}\S*\s/u
/** Two words beside one another; in a formula they'd be commands, or in one. */
const PROSE = /(?<!\p{L})\p{L}{2,}[\s,;.]+\p{L}{2,}/u
/** A price with a remark, or with a comparison as it's written in code. */
const PRICE = /^\d[\d.,]*(?![\p{L}\d])(?:[\s\S]*\p{L}{3}|[\s\S]*[<>!=]=[\s\S]*,\s|[\s\S]*(?<!\p{L})\p{L}{2,}(?!\p{L}))/u
/** The beginning of a formula on lines of its own: alone in its line, or what can't be anything else. */
const OPENS_LINES = /^(?:\$\$(?=[ \t]*\n|[^\n$]*\\[a-zA-Z])|\\\[)/
const EMPTY_LINE = /\n[ \t]*\n/
/** No end yet; half of it may be there. */
const OPEN = /^(?:\$\$[^$]*\$?|\\\[(?:(?!\\\])[\s\S])*)$/

const formula = (found: RegExpExecArray | null, isDisplay: boolean): Formula | null => {
  const [raw = "", inner = ""] = found ?? []
  const tex = inner.trim()
  return tex === "" || tex.length > MAX_TEX ? null : { raw, tex, isDisplay }
}

/** Whether what stands between two dollars is a sentence with prices or variables, and no formula. */
const isProse = (tex: string): boolean =>
  (SEVERAL_WORDS.test(tex) && !NOTATION.test(tex)) || (!tex.includes("\\") && (PROSE.test(tex) || PRICE.test(tex)))

/** The formula that a text begins with; `before` is what stands in front of it in the same line. */
export const formulaAt = (text: string, before: string): Formula | null => {
  const near = text.slice(0, 2 * MAX_TEX)
  if (near.startsWith("$$")) return formula(DISPLAY_DOLLARS.exec(near), true)
  if (near.startsWith("\\[")) return near.includes("\\]") ? formula(DISPLAY_BRACKETS.exec(near), true) : null
  if (near.startsWith("\\(")) return near.includes("\\)") ? formula(INLINE_PARENTHESES.exec(near), false) : null
  if (!near.startsWith("$") || WORD_BEFORE.test(before)) return null
  const found = formula(INLINE_DOLLARS.exec(near), false)
  return found === null || isProse(found.tex) ? null : found
}

/** Where a formula may begin. */
const formulaStart = (text: string): number => text.search(/\$|\\[([]/)

const INDENT = /^ {0,3}(?=\$\$|\\\[)/

/** A formula on lines of its own, which nothing else may stand on; only one that opens them may have empty lines. */
const formulaLines = (text: string): Formula | null => {
  const indent = INDENT.exec(text)?.[0]
  if (indent === undefined) return null
  const formulaHere = formulaAt(text.slice(indent.length), "")
  if (formulaHere === null) return null
  if (EMPTY_LINE.test(formulaHere.raw) && !OPENS_LINES.test(formulaHere.raw)) return null
  const rest = text.slice(indent.length + formulaHere.raw.length)
  const end = /^[ \t]*(?:\n|$)/.exec(rest)?.[0]
  return end === undefined ? null : { ...formulaHere, raw: indent + formulaHere.raw + end }
}

/** A formula that opens lines of its own and whose end isn't there yet. */
const openFormula = (text: string): string | null => {
  const source = text.trim()
  const isOpen =
    source.length <= MAX_TEX && INDENT.test(text) && OPENS_LINES.test(text.trimStart()) && OPEN.test(source)
  return isOpen ? text.trimEnd() : null
}

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
