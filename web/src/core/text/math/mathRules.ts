/** A formula at the beginning of a text. */
export interface Formula {
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

const formula = (found: RegExpExecArray | null, isDisplay: boolean): Formula | null => {
  const [raw = "", inner = ""] = found ?? []
  const tex = inner.trim()
  return tex === "" || tex.length > MAX_TEX ? null : { raw, tex, isDisplay }
}

/** The formula that a text begins with; `before` is what stands in front of it in the same line. */
export const formulaAt = (text: string, before: string): Formula | null => {
  if (text.startsWith("$$")) return formula(DISPLAY_DOLLARS.exec(text), true)
  if (text.startsWith("\\[")) return formula(DISPLAY_BRACKETS.exec(text), true)
  if (text.startsWith("\\(")) return formula(INLINE_PARENTHESES.exec(text), false)
  if (WORD_BEFORE.test(before)) return null
  const found = formula(INLINE_DOLLARS.exec(text), false)
  if (found === null) return null
  return SEVERAL_WORDS.test(found.tex) && !NOTATION.test(found.tex) ? null : found
}

/** Where a formula may begin. */
export const formulaStart = (text: string): number => text.search(/\$|\\[([]/)

/** A formula on lines of its own, which nothing else may stand on. */
export const formulaLines = (text: string): Formula | null => {
  const found = /^ {0,3}(?=\$\$|\\\[)/.exec(text)
  if (found === null) return null
  const [indent] = found
  const formulaHere = formulaAt(text.slice(indent.length), "")
  if (formulaHere === null) return null
  const rest = text.slice(indent.length + formulaHere.raw.length)
  const end = /^[ \t]*(?:\n|$)/.exec(rest)?.[0]
  return end === undefined ? null : { ...formulaHere, raw: indent + formulaHere.raw + end }
}

/** A formula whose first line is there and whose end isn't yet. */
export const openFormula = (text: string): string | null =>
  /^ {0,3}(?:\$\$|\\\[)[ \t]*\n[\s\S]*$/.exec(text)?.[0].trimEnd() ?? null
