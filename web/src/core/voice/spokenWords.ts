import type { Token } from "marked"
import { say } from "../language/say.ts"
import { asFence, createMarkdownParser } from "../text/createMarkdownParser.ts"
import { formulaAt, mathExtension } from "../text/math/mathRules.ts"
import { escapeHtml } from "../text/safeHtml.ts"

/** Tags that agents write in Markdown; the page shows them as they are, but nobody reads them out. */
const TAGS =
  /<\/?(?:a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|video|audio)\b[^<>]*>/gi

const ADDRESS = /^(?:https?:\/\/|mailto:|www\.)/i

/** An address as somebody would say it: its host alone. */
const spokenAddress = (address: string): string => {
  const whole = address.startsWith("www.") ? `https://${address}` : address
  if (/^mailto:/i.test(whole)) return whole.slice("mailto:".length)
  return URL.canParse(whole) ? new URL(whole).host.replace(/^www\./, "") : say("an address")
}

const childrenOf = (token: Token): ReadonlyArray<Token> | null =>
  "tokens" in token && token.tokens !== undefined ? token.tokens : null

const inLine = (tokens: ReadonlyArray<Token>): string => tokens.map(inLineToken).join("")

const inLineToken = (token: Token): string => {
  switch (token.type) {
    case "br":
      return "\n"
    case "checkbox":
      return token.checked === true ? `${say("done")}: ` : `${say("open")}: `
    case "image":
      return String(token.text)
    case "link": {
      const text = inLine(childrenOf(token) ?? [])
      return ADDRESS.test(text) ? spokenAddress(text) : text
    }
    case "math":
      return say("a formula")
    case "footnoteMark":
      return ""
    default: {
      const children = childrenOf(token)
      return children === null ? ("text" in token ? String(token.text) : "") : inLine(children)
    }
  }
}

const blocks = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map(block)
    .filter((text) => text.trim() !== "")
    .join("\n")

const listItem = (item: Token): string => {
  const [first, ...others] = childrenOf(item) ?? []
  if (first === undefined) return ""
  return first.type === "checkbox" ? inLineToken(first) + blocks(others) : blocks([first, ...others])
}

const block = (token: Token): string => {
  switch (token.type) {
    case "code":
      return /^mermaid\b/.test(String(token.lang ?? "")) ? say("Diagram left out.") : say("Code left out.")
    case "mathLines":
      return say("Formula left out.")
    case "space":
    case "hr":
    case "def":
      return ""
    case "list":
      return token.items.map(listItem).join("\n")
    case "table":
      return [token.header, ...token.rows]
        .map((row: ReadonlyArray<{ readonly tokens: ReadonlyArray<Token> }>) =>
          row
            .map((cell) => inLine(cell.tokens).trim())
            .filter((text) => text !== "")
            .join(", ")
        )
        .join("\n")
    case "folded":
      return [inLine(token.title), blocks(childrenOf(token) ?? [])].filter((text) => text.trim() !== "").join("\n")
    case "blockquote":
    case "footnote":
      return blocks(childrenOf(token) ?? [])
    default:
      return inLineToken(token)
  }
}

const SOUNDS = /[\p{L}\p{N}]/u

/**
 * A Markdown text as somebody would read it aloud, from what the renderer reads in it: code, diagrams and formulas are
 * left out with a word, and of an address only the host is said. Empty if there's nothing to say.
 */
export const spokenWords = (markdown: string): string => {
  const parser = createMarkdownParser({
    highlight: escapeHtml,
    extension: mathExtension(false),
    spanAt: (text, before) => formulaAt(text, before)?.raw.length ?? 0
  })
  const text = blocks(parser.tokens(asFence(markdown).replace(/\r\n?/g, "\n")))
    .replace(TAGS, " ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim()
  return SOUNDS.test(text) ? text : ""
}
