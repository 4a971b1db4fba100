import type { MarkedExtension, Token, TokenizerAndRendererExtension } from "marked"
import { escapeHtml } from "./escapeHtml.ts"
import { inDirection } from "./textDirection.ts"

const MARK = /^\[\^([^\]\s]{1,40})\](?!:)/
const NOTE = /^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]*/
const NEXT_NOTE = /\n(?= {0,3}\[\^[^\]\s]{1,40}\]:)/
const EMPTY_LINE = /\n[ \t]*\n/
const INDENT = /^(?: {2,4}|\t)/

/** The key of a footnote among the definitions of a text, which are those of addresses otherwise. */
const keyOf = (label: string): string => `^${label.toLowerCase()}`

/** The lines of a footnote after its first: those further in, and words that go on with a paragraph. */
const countMore = (lines: ReadonlyArray<string>): number => {
  let count = 0
  for (const [index, line] of lines.entries()) {
    const isEmpty = line.trim() === ""
    const goesOn = INDENT.test(line) || (/^\p{L}/u.test(line) && count === index)
    if (!isEmpty && !goesOn) break
    if (!isEmpty) count = index + 1
  }
  return count
}

const mark: TokenizerAndRendererExtension = {
  name: "footnoteMark",
  level: "inline",
  start: (text) => {
    const at = text.indexOf("[^")
    return at < 0 ? undefined : at
  },
  tokenizer(text) {
    const [raw = "", label = ""] = MARK.exec(text) ?? []
    // What nothing explains is text: a pattern of characters, for one.
    return Object.hasOwn(this.lexer.tokens.links, keyOf(label)) ? { type: "footnoteMark", raw, label } : undefined
  },
  renderer: ({ label }) => `<sup class="footnote-mark">${escapeHtml(String(label))}</sup>`
}

const note: TokenizerAndRendererExtension = {
  name: "footnote",
  level: "block",
  start: (text) => {
    const end = EMPTY_LINE.exec(text)?.index ?? text.length
    const at = text.slice(0, end).search(NEXT_NOTE)
    return at < 0 ? undefined : at + 1
  },
  tokenizer(text) {
    const [intro, label = ""] = NOTE.exec(text) ?? []
    if (intro === undefined) return undefined
    const [first = "", ...rest] = text.split("\n")
    const more = rest.slice(0, countMore(rest))
    const lines = [first, ...more].join("\n")
    const raw = text.length > lines.length ? `${lines}\n` : lines
    this.lexer.tokens.links[keyOf(label)] ??= { href: "", title: null }
    const content = [first.slice(intro.length), ...more.map((line) => line.replace(INDENT, ""))].join("\n")
    const tokens: Array<Token> = this.lexer.blockTokens(content, [])
    return { type: "footnote", raw, label, tokens }
  },
  renderer(token) {
    const [mark, text] = [escapeHtml(String(token.label)), this.parser.parse(token.tokens ?? [])]
    return `<div class="footnote"${inDirection(token)}><sup>${mark}</sup><div>${text}</div></div>\n`
  }
}

/** Footnotes: `[^1]` where one belongs, and `[^1]: its text` anywhere else in the text. */
export const FOOTNOTES: MarkedExtension = { extensions: [mark, note] }
