import { Lexer, type Links, Marked, type MarkedExtension, type Token, type TokensList } from "marked"
import { foldedText } from "./foldedText.ts"
import { FOOTNOTES } from "./footnotes.ts"
import type { Highlight } from "./htmlRenderer.ts"
import { htmlRenderer } from "./htmlRenderer.ts"
import { markdownRules } from "./markdownRules.ts"
import { escapeHtml } from "./safeHtml.ts"
import type { SpanAt } from "./tableCells.ts"

interface ParserOptions {
  readonly highlight: Highlight
  /** Image paths are relative to this agent's workspace; by default the main one's. */
  readonly agent?: string
  /** Markdown beyond the usual. */
  readonly extension?: MarkedExtension | undefined
  /** What of it a table's cell has as a whole. */
  readonly spanAt?: SpanAt | undefined
  /** Its last code block is still being written. */
  readonly isGrowing?: boolean
}

/** A drawn piece of a text. */
export interface Drawn {
  /** Not sanitised yet. */
  readonly html: string
  /** The labels of the definitions that its links use. */
  readonly used: ReadonlySet<string>
}

export interface MarkdownParser {
  /** HTML of a part that was read and has no lines to read, such as code. */
  readonly drawRead: (token: Token) => Drawn
  /** The parts of the highest level, whose raw texts make up the text, and the text's definitions of addresses. */
  readonly read: (markdown: string) => TokensList
  /** HTML of a text; `links` are definitions from elsewhere, and those of its own are shown where `isShown` says so. */
  readonly draw: (markdown: string, links?: Links, isShown?: (label: string, href: string) => boolean) => Drawn
  /** All that is read in a text, down to its lines. */
  readonly tokens: (markdown: string) => TokensList
}

const unread = (markdown: string): TokensList =>
  Object.assign([{ type: "paragraph", raw: markdown, text: markdown, tokens: [] }], { links: {} })

/**
 * Reads and draws Markdown. Headings have the levels that their author gave them. Safe by construction: it only writes
 * its own tags and escapes every text and attribute; `highlight` is responsible for the HTML of code.
 */
export const createMarkdownParser = ({
  highlight,
  agent = "main",
  extension = {},
  spanAt = () => 0,
  isGrowing = false
}: ParserOptions): MarkdownParser => {
  let used = new Set<string>()
  let isShownNow = (_label: string, _href: string) => true
  const tokenizer = markdownRules({ onUse: (label) => used.add(label), spanAt })
  const renderer = htmlRenderer({ highlight, agent, isGrowing, isShown: (label, href) => isShownNow(label, href) })
  const marked = new Marked(
    { gfm: true, breaks: true, tokenizer, renderer },
    FOOTNOTES,
    foldedText(isGrowing),
    extension
  )
  return {
    read: (markdown) => {
      try {
        const lexer = new Lexer(marked.defaults)
        // What stands in the lines is left unread: it's read where it's drawn.
        lexer.blockTokens(markdown, lexer.tokens)
        return lexer.tokens
      } catch {
        return unread(markdown)
      }
    },
    drawRead: (token) => ({ html: marked.parser([token]), used: new Set() }),
    draw: (markdown, links = {}, isShown = () => true) => {
      used = new Set()
      isShownNow = isShown
      try {
        const lexer = new Lexer(marked.defaults)
        Object.assign(lexer.tokens.links, links)
        return { html: marked.parser(lexer.lex(markdown)), used }
      } catch {
        return { html: `<p>${escapeHtml(markdown)}</p>`, used }
      }
    },
    tokens: (markdown) => {
      try {
        return new Lexer(marked.defaults).lex(markdown)
      } catch {
        return unread(markdown)
      }
    }
  }
}

/** Creates a function that renders a whole Markdown text as HTML, see `createMarkdownParser`. */
export const createBlockRenderer =
  (highlight: Highlight): ((markdown: string) => string) =>
  (markdown) =>
    createMarkdownParser({ highlight }).draw(markdown).html

const START = /^\s*<(!doctype html|html|svg)[\s>]/i
/** Longer than any fence within a document. */
const FENCE = "`".repeat(12)

/** A response that is a document itself becomes a block of code, with what follows the document after it. */
export const asFence = (text: string): string => {
  const kind = START.exec(text)?.[1]?.toLowerCase()
  if (kind === undefined) return text
  const name = kind === "svg" ? "svg" : "html"
  const closing = `</${name}>`
  const start = text.trimStart()
  const end = start.toLowerCase().indexOf(closing)
  const opened = `${FENCE}${name}\n`
  if (end < 0) return opened + start
  const after = end + closing.length
  return `${opened}${start.slice(0, after)}\n${FENCE}\n\n${start.slice(after).trimStart()}`
}
