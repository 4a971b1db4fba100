import type { MarkedExtension, Token, TokenizerAndRendererExtension } from "marked"
import { say } from "../language/say.ts"
import { escapeHtml } from "./safeHtml.ts"
import { inDirection } from "./textDirection.ts"

const OPENING = /^ {0,3}<details( open)?>[ \t]*(?:\n|(?=<summary>))/
const TAG = /<(\/?)details\b[^>]*>/g
const SUMMARY = /^\s*<summary>([\s\S]*?)<\/summary>[ \t]*\n?/

/** Where the text ends that begins behind an opening tag, and where what follows it begins; null if it has no end. */
const endOf = (text: string, from: number): readonly [end: number, next: number] | null => {
  if (!text.includes("</details")) return null
  let depth = 1
  for (const { 0: tag, 1: slash, index } of text.slice(from).matchAll(TAG)) {
    depth += slash === "/" ? -1 : 1
    if (depth > 0) continue
    const next = from + index + tag.length
    return [from + index, next + (/^[ \t]*(?:\n|$)/.exec(text.slice(next))?.[0].length ?? 0)]
  }
  return null
}

/** Texts that fold within one another; what is further in is text. */
const MAX_DEPTH = 16

const folded = (isGrowing: boolean, depths = new WeakMap<object, number>()): TokenizerAndRendererExtension => ({
  name: "folded",
  level: "block",
  tokenizer(text) {
    const [intro, open] = OPENING.exec(text) ?? []
    const depth = depths.get(this.lexer) ?? 0
    if (intro === undefined || depth === MAX_DEPTH) return undefined
    const place = endOf(text, intro.length)
    if (place === null && !isGrowing) return undefined
    const [end, next] = place ?? [text.length, text.length]
    const content = text.slice(intro.length, end)
    const [heading = "", summary = ""] = SUMMARY.exec(content) ?? []
    const title: Array<Token> = this.lexer.inline(summary.trim(), [])
    depths.set(this.lexer, depth + 1)
    const tokens: Array<Token> = this.lexer.blockTokens(content.slice(heading.length), [])
    depths.set(this.lexer, depth)
    return {
      type: "folded",
      raw: text.slice(0, next),
      isUnfolded: open !== undefined,
      isOpen: place === null,
      title,
      tokens
    }
  },
  childTokens: ["title", "tokens"],
  renderer(token) {
    const name = this.parser.parseInline(token.title) || escapeHtml(say("Details"))
    const open = token.isUnfolded === true ? " open" : ""
    const text = this.parser.parse(token.tokens ?? [])
    return `<details class="fold"${open}${inDirection(token)}><summary>${name}</summary><div>\n${text}</div></details>\n`
  }
})

/**
 * Text that unfolds at a press, the only HTML that is more than text: `<details>` on lines of its own, with a
 * `<summary>` and Markdown in it. While a text grows, one without its end goes on to the end of the text.
 */
export const foldedText = (isGrowing: boolean): MarkedExtension => ({ extensions: [folded(isGrowing)] })
