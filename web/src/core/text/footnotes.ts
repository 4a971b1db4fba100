import type { MarkedExtension, Token, TokenizerAndRendererExtension } from "marked"
import { escapeHtml } from "./safeHtml.ts"
import { inDirection } from "./textDirection.ts"

const MARK = /^\[\^([^\]\s]{1,40})\](?!:)/
const NOTE = /^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]*/
/** Where a paragraph ends at the latest: before an empty line, a formula on lines of its own or a footnote. */
const PARAGRAPH_END = /\n(?:[ \t]*\n|(?= {0,3}(?:\$\$|\\\[|\[\^[^\]\s]{1,40}\]:)))/
const INDENT = /^(?: {2,4}|\t)/

/** The key of a footnote among the definitions of a text, which are those of addresses otherwise. */
const keyOf = (label: string): string => `^${label.toLowerCase()}`

/** Where a footnote ends: it has lines further in, and words that go on with a paragraph. */
const endOf = (text: string): number => {
  const firstBreak = text.indexOf("\n")
  let end = firstBreak < 0 ? text.length : firstBreak + 1
  let isBehindText = true
  for (let at = end; at < text.length; ) {
    const nextBreak = text.indexOf("\n", at)
    const next = nextBreak < 0 ? text.length : nextBreak + 1
    const line = text.slice(at, next)
    const isEmpty = line.trim() === ""
    if (!isEmpty && !INDENT.test(line) && !(isBehindText && /^\p{L}/u.test(line))) break
    if (!isEmpty) end = next
    isBehindText = !isEmpty
    at = next
  }
  return end
}

const mark: TokenizerAndRendererExtension = {
  name: "footnoteMark",
  level: "inline",
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
    const found = PARAGRAPH_END.exec(text)
    return found?.[0] === "\n" ? found.index + 1 : undefined
  },
  tokenizer(text) {
    const [intro, label = ""] = NOTE.exec(text) ?? []
    if (intro === undefined) return undefined
    const raw = text.slice(0, endOf(text))
    this.lexer.tokens.links[keyOf(label)] ??= { href: "", title: null }
    const [first = "", ...more] = raw.slice(intro.length).replace(/\n$/, "").split("\n")
    const content = [first, ...more.map((line) => line.replace(INDENT, ""))].join("\n")
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
