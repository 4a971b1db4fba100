/**
 * Signs at which an address in a text without spaces ends: punctuation beyond ASCII, but not what is part of names: dots
 * between words, dashes shorter than the one of sentences, and apostrophes within a word.
 */
const ENDS = /(?![·・‧•–‐‑])[^\p{ASCII}\P{P}]/u
/** Signs of emphasis: the address ends before a run of them, and before a single star with another script behind it. */
const EMPHASIS = /\*\*|~~|\*(?=\P{ASCII})/u
const APOSTROPHE = /^[’ʼ]/
const LETTER = /\p{L}/u

/** Where an address ends that a text without spaces goes on after. */
export const addressEnd = (address: string): number => {
  const emphasis = EMPHASIS.exec(address)?.index ?? address.length
  for (const { index, 0: sign } of address.slice(0, emphasis).matchAll(new RegExp(ENDS, "gu"))) {
    const isWithinWord =
      APOSTROPHE.test(sign) && LETTER.test(address.slice(index - 1, index)) && LETTER.test(address.slice(index + 1))
    if (!isWithinWord) return index
  }
  return emphasis
}
