import type { RendererObject, Token, Tokens } from "marked"
import { safeLink } from "../../../../src/contract/safeAddress.ts"
import { listText } from "../common/phrases.ts"
import { say } from "../language/say.ts"
import { escapeHtml, safeImage } from "./safeHtml.ts"
import { inDirection } from "./textDirection.ts"

/** The words of a line, without what marks them up. */
const plainText = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return " "
      // A formula has only its source.
      if ("tex" in token) return String(token.tex)
      if ("tokens" in token && token.tokens !== undefined) return plainText(token.tokens)
      return "text" in token ? String(token.text) : ""
    })
    .join("")

const outside = (href: string, html: string, kind = ""): string =>
  `<a href="${escapeHtml(href)}"${kind} target="_blank" rel="noopener noreferrer nofollow">${html}</a>`

/** What a browser can show by itself. */
const isShowable = (code: string, language: string): boolean =>
  /^(?:x?html?|svg)$/i.test(language) || (/^xml$/i.test(language) && /<svg[\s>]/i.test(code))

const codeButton = (kind: string, label: string): string =>
  `<button type="button" class="code-copy" data-copy="${kind}">${escapeHtml(label)}</button>`

function codeBlock(code: string, language: string, html: string, isGrowing: boolean): string {
  const name = escapeHtml(language)
  return (
    `<div class="code-block"><div class="code-bar"><span class="code-language">${name}</span>` +
    codeButton("wrap", say("Wrap")) +
    codeButton("save", say("Save")) +
    (!isGrowing && isShowable(code, language) ? codeButton("preview", say("Preview")) : "") +
    `${codeButton("code", say("Copy"))}</div>` +
    `<pre tabindex="0"><code class="hljs">${html}${code.endsWith("\n") ? "" : "\n"}</code></pre></div>\n`
  )
}

/** The label of a definition, as it was written. */
const DEFINED = /^\s*\[((?:\\[\s\S]|[^[\]\\])+)\]/

const BREAK: Token = { type: "br", raw: "<br>" }

/** A cell's line with the breaks in it, which Markdown has no other way to write. */
const withBreaks = (tokens: ReadonlyArray<Token>): Array<Token> =>
  tokens.flatMap((token): Array<Token> => {
    if ("tokens" in token && token.tokens !== undefined) return [{ ...token, tokens: withBreaks(token.tokens) }]
    if (token.type !== "text") return [token]
    return String(token.text)
      .split(/<br\s*\/?>/i)
      .flatMap((text, index) => [...(index === 0 ? [] : [BREAK]), { ...token, text }])
  })

/** Longest name of a table. */
const MAX_NAME = 100

type Cells = ReadonlyArray<Tokens.TableCell>

const plainCell = ({ tokens }: Cells[number]) => plainText(withBreaks(tokens)).trim()
const shortName = (name: string) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)

/** What a table is called for screen readers: its columns, and what its first row is about. */
const tableName = (head: Cells, first: Cells): string => {
  const columns = shortName(listText(head.map(plainCell).filter(Boolean)))
  const start = shortName(first.map(plainCell).find((text) => text !== "") ?? "")
  // No colon after the first word: the sanitiser takes what stands before one for a scheme.
  if (columns === "") return start === "" ? say("Table") : say("Table, starting with {start}", { start })
  return start === ""
    ? say("Table of {columns}", { columns })
    : say("Table of {columns}, starting with {start}", { columns, start })
}

/** What the HTML of a text depends on besides the text. */
export interface HtmlOptions {
  /** HTML of code, escaped. */
  readonly highlight: Highlight
  /** Image paths are relative to this agent's workspace. */
  readonly agent: string
  /** Its last code block is still being written. */
  readonly isGrowing: boolean
  /** Whether a definition of a link's address is shown: nothing else says it. */
  readonly isShown: (label: string, href: string) => boolean
}

/** Writes a text's HTML: only its own tags, with every text and attribute escaped. */
export const htmlRenderer = ({ highlight, agent, isGrowing, isShown }: HtmlOptions): RendererObject => ({
  html: ({ text }) => escapeHtml(text),
  def: ({ tag, raw, href, title }) => {
    if (!isShown(tag, href)) return ""
    const safe = safeLink(href)
    const address = safe === null ? escapeHtml(href) : outside(safe, escapeHtml(href))
    const label = DEFINED.exec(raw)?.[1] ?? tag
    return `<p>[${escapeHtml(label)}]: ${address}${title == null ? "" : ` ${escapeHtml(title)}`}</p>\n`
  },
  code: ({ text, lang }) => {
    const language = /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0] ?? ""
    return codeBlock(text, language, highlight(text, language.toLowerCase()), isGrowing)
  },
  codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
  heading({ tokens, depth }) {
    return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>\n`
  },
  link({ href, tokens }) {
    const html = this.parser.parseInline(tokens)
    const safe = safeLink(href)
    return safe === null ? html : outside(safe, html)
  },
  image: ({ href, text }) => {
    const local = safeImage(href, agent)
    if (local !== null)
      return `<button type="button" class="image-button" data-picture aria-label="${escapeHtml(say("Enlarge {picture}", { picture: text }))}"><img src="${escapeHtml(local)}" alt="${escapeHtml(text)}" loading="lazy" decoding="async"></button>`
    const link = safeLink(href)
    const name = escapeHtml(text === "" ? say("image") : text)
    if (link === null) return name
    const host = new URL(link).host
    return outside(
      link,
      `${name}${host === "" ? "" : ` <span class="image-host">${escapeHtml(host)}</span>`}`,
      ' class="image-link"'
    )
  },
  checkbox: ({ checked }) =>
    `<input type="checkbox" disabled${checked ? " checked" : ""} aria-label="${escapeHtml(checked ? say("done") : say("open"))}"> `,
  list(token) {
    const start = token.ordered && token.start !== 1 ? ` start="${token.start}"` : ""
    const items = token.items.map((item) => this.listitem(item)).join("")
    const name = token.ordered ? "ol" : "ul"
    return `<${name}${start}${inDirection(token)}>\n${items}</${name}>\n`
  },
  blockquote(token) {
    return `<blockquote${inDirection(token)}>\n${this.parser.parse(token.tokens)}</blockquote>\n`
  },
  table(token) {
    const cells = (row: typeof token.header) => row.map((cell) => this.tablecell(cell)).join("")
    const body = token.rows.map((row) => this.tablerow({ text: cells(row) })).join("")
    return (
      `<div class="table-scroll" role="group" aria-label="${escapeHtml(tableName(token.header, token.rows[0] ?? []))}" tabindex="0"${inDirection(token)}><table>` +
      `<thead>${this.tablerow({ text: cells(token.header) })}</thead>${body === "" ? "" : `<tbody>${body}</tbody>`}</table></div>\n`
    )
  },
  tablecell(token) {
    const tag = token.header ? "th" : "td"
    const align = token.align === null ? "" : ` align="${token.align}"`
    const scope = token.header ? ' scope="col"' : ""
    return `<${tag}${scope}${align}>${this.parser.parseInline(withBreaks(token.tokens))}</${tag}>`
  }
})

/** Elements the renderer writes. */
export const ALLOWED_TAGS =
  "a,blockquote,br,button,code,del,details,div,em,h1,h2,h3,h4,h5,h6,hr,img,input,li,ol,p,pre,span,strong,summary,sup,table,tbody,td,th,thead,tr,ul".split(
    ","
  )

/** Attributes the renderer writes. */
export const ALLOWED_ATTRIBUTES =
  "align,alt,aria-label,checked,class,data-copy,data-picture,decoding,dir,disabled,href,loading,open,rel,role,scope,src,start,tabindex,target,type".split(
    ","
  )

/** Addresses with a known scheme, or without any. */
export const ALLOWED_URL = /^(?:https?:|mailto:|data:image\/|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i

/** HTML of code in a language, escaped. */
export type Highlight = (code: string, language: string) => string
