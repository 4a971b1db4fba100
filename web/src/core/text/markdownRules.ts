import { type Links, Tokenizer, type TokenizerObject } from "marked"
import { emphasised, struck, UNSPACED } from "./emphasis.ts"
import { type SpanAt, withWholeCells } from "./tableCells.ts"

/**
 * Signs at which an address in a text without spaces ends: punctuation beyond ASCII, but not what is part of names: dots
 * between words, dashes shorter than the one of sentences, and apostrophes within a word.
 */
const ENDS = /(?![·・‧•–‐‑])[^\p{ASCII}\P{P}]/u
/** Signs of emphasis: the address ends before a run of them, and before a single star with another script behind it. */
const EMPHASIS = /\*\*|~~|\*(?=\P{ASCII})/u
const APOSTROPHE = /^[’ʼ]/
const LETTER = /\p{L}/u

/** A whole host, with its port, before what may be the next word of a script without spaces. */
const HOST = /^(?:[a-z]+:\/\/|www\.)(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d+)?/i
const IS_WHOLE_HOST = /\.[a-z0-9-]+$|:\d+$|\/localhost$/i

/** Where an address ends that has only a host, if a word follows it at once. */
const hostEnd = (address: string): number => {
  const host = HOST.exec(address)?.[0] ?? ""
  const rest = address.slice(host.length)
  const [next = ""] = Array.from(rest.slice(0, 2))
  // A host in another script has a dot behind that.
  const isInHost = /^[^/?#]*\./.test(rest)
  return IS_WHOLE_HOST.test(host) && UNSPACED.test(next) && !isInHost ? host.length : address.length
}

/** Where an address ends that a text without spaces goes on after. */
const addressEnd = (address: string): number => {
  const end = Math.min(EMPHASIS.exec(address)?.index ?? address.length, hostEnd(address))
  for (const { index, 0: sign } of address.slice(0, end).matchAll(new RegExp(ENDS, "gu"))) {
    const isWithinWord =
      APOSTROPHE.test(sign) && LETTER.test(address.slice(index - 1, index)) && LETTER.test(address.slice(index + 1))
    if (!isWithinWord) return index
  }
  return end
}

/** Longest heading with a line under it, in characters. */
const MAX_HEADING = 2_000
const BLANK_LINE = /\n[ \t]*\n/

/** The same definitions; `onUse` hears the label of each that is looked up and there. */
const observed = (links: Links, onUse: (label: string) => void): Links =>
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
    return Tokenizer.prototype.reflink.call(this, src, observed(links, onUse))
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
