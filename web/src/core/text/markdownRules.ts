import { type Links, Tokenizer, type TokenizerObject } from "marked"

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

/** The rules in which this Markdown differs from GitHub's; `onUse` hears the label of every definition that is used. */
export const markdownRules = (onUse: (label: string) => void): TokenizerObject => ({
  // Raw HTML is text: an agent's tag never becomes an element.
  html: () => undefined,
  tag: () => undefined,
  // A title goes over several lines, but as everything else not over an empty one.
  def(src) {
    const found = Tokenizer.prototype.def.call(this, src)
    return found !== undefined && BLANK_LINE.test(found.raw) ? undefined : found
  },
  reflink(src, links) {
    return Tokenizer.prototype.reflink.call(this, src, told(links, onUse))
  }
})
