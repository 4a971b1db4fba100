/**
 * A short fingerprint to tell texts apart: two 32-bit multiplicative hashes over its UTF-16 units, and its length. It
 * guards against accidents, not against attackers.
 */
export const textVersion = (text: string): string => {
  let first = 0xdeadbeef
  let second = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 2654435761)
    second = Math.imul(second ^ unit, 1597334677)
  }
  const mix = (one: number, other: number) =>
    Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  return [mix(first, second) >>> 0, mix(second, first) >>> 0, text.length].map((part) => part.toString(36)).join("-")
}

/**
 * Whether a write may proceed: `undefined` overwrites anything, `null` only writes when nothing exists, and a version
 * only replaces the text it stands for.
 */
export const isVersion = (version: string | null | undefined, text: string | undefined): boolean =>
  version === undefined || version === (text === undefined ? null : textVersion(text))
