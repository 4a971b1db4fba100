import { type Links, Tokenizer, type TokenizerObject } from "marked"
import { addressEnd } from "./addressEnd.ts"
import { emphasised, struck } from "./emphasis.ts"
import { type SpanAt, withWholeCells } from "./tableCells.ts"

/** Longest heading with a line under it, in characters. */
const MAX_HEADING = 2_000
const BLANK_LINE = /\n[ \t]*\n/

/** The same definitions; `onUse` hears the label of each that is looked up and there. */
const told = (links: Links, onUse: (label: string) => void): Links =>
  new Proxy(links, {
    get: (target, label) => {
      const found = typeof label === "string" ? target[label] : undefined
      if (found !== undefined) onUse(String(label))
      return found
    }
  })

/** What the rules need besides the text. */
interface RuleParts {
  /** Hears the label of every definition that is used. */
  readonly onUse: (label: string) => void
  /** What a table's cell may have as a whole besides code. */
  readonly spanAt: SpanAt
}

/** The rules in which this Markdown differs from GitHub's. */
export const markdownRules = ({ onUse, spanAt }: RuleParts): TokenizerObject => ({
  // Raw HTML is text: an agent's tag never becomes an element.
  html: () => undefined,
  tag: () => undefined,
  // A title goes over several lines, but as everything else not over an empty one.
  def(src) {
    const found = Tokenizer.prototype.def.call(this, src)
    return found !== undefined && BLANK_LINE.test(found.raw) ? undefined : found
  },
  // Where a long paragraph comes apart into many, each would look for its underline to the end.
  lheading(src) {
    const near = src.length > MAX_HEADING ? src.slice(0, src.lastIndexOf("\n", MAX_HEADING) + 1) : src
    return near === "" ? undefined : Tokenizer.prototype.lheading.call(this, near)
  },
  reflink(src, links) {
    return Tokenizer.prototype.reflink.call(this, src, told(links, onUse))
  },
  emStrong(src, maskedSrc) {
    return /^[*_]/.test(src) ? emphasised(this, src, maskedSrc) : undefined
  },
  del(src, maskedSrc) {
    return src.startsWith("~") ? struck(this, src, maskedSrc) : undefined
  },
  url(src) {
    const found = Tokenizer.prototype.url.call(this, src)
    if (found === undefined) return undefined
    const end = addressEnd(found.raw)
    return end === found.raw.length ? found : Tokenizer.prototype.url.call(this, src.slice(0, end))
  },
  table(src) {
    const lines = this.rules.block.table.exec(src)?.[0]
    if (lines === undefined) return undefined
    const found = Tokenizer.prototype.table.call(this, withWholeCells(lines, spanAt))
    return found === undefined ? undefined : { ...found, raw: lines.replace(/\n+$/, "") }
  }
})
