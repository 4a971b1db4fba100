import { UNSPACED } from "./unspaced.ts"

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
export const addressEnd = (address: string): number => {
  const end = Math.min(EMPHASIS.exec(address)?.index ?? address.length, hostEnd(address))
  for (const { index, 0: sign } of address.slice(0, end).matchAll(new RegExp(ENDS, "gu"))) {
    const isWithinWord =
      APOSTROPHE.test(sign) && LETTER.test(address.slice(index - 1, index)) && LETTER.test(address.slice(index + 1))
    if (!isWithinWord) return index
  }
  return end
}
