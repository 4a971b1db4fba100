/** Bytes of a name that leave room for a number and for what other systems add. */
const MAX_BYTES = 180
/** Endings longer than this are part of the name. */
const MAX_ENDING = 16
/** Names that Windows keeps for devices, whatever their ending. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
/** What joins letters of Persian and Indian scripts, or emoji, into what's seen; a name isn't the same without it. */
const JOINER = String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])`
/** Control characters, and other marks that turn the direction of text around or aren't seen. */
const UNSEEN = new RegExp(String.raw`(?!${JOINER})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, "gu")
const LAST_JOINERS = /[\u200c\u200d]+$/
/** What some system, a quoted path or a Markdown text takes for something else. */
const SPECIAL = /[<>:"|?*`\\/]/g

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** A name's beginning and its ending with the dot, if it has one. */
export const splitEnding = (name: string): readonly [stem: string, ending: string] => {
  const dot = name.lastIndexOf(".")
  return dot > 0 && name.length - dot <= MAX_ENDING ? [name.slice(0, dot), name.slice(dot)] : [name, ""]
}

/** As many of a text's characters as have that many bytes. */
const shortened = (text: string, limit: number): string => {
  if (bytesOf(text) <= limit) return text
  let kept = ""
  let size = 0
  for (const letter of text) {
    size += bytesOf(letter)
    if (size > limit) break
    kept += letter
  }
  return kept
}

/**
 * A name under which a file from anywhere can be kept on any system: the last part of a path, without what isn't seen or
 * means something elsewhere, at most 180 bytes, with its ending.
 */
export const safeFileName = (given: string): string => {
  const last = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? ""
  const plain = last
    .replace(UNSEEN, "")
    .replace(SPECIAL, "_")
    .replace(/^[\s.]+|[\s.]+$/g, "")
    .replace(/\s+/g, " ")
  const named = DEVICES.test(plain) ? `_${plain}` : plain
  const [stem, ending] = splitEnding(named === "" ? "file" : named)
  return `${shortened(stem, MAX_BYTES - bytesOf(ending))
    .replace(LAST_JOINERS, "")
    .trimEnd()}${ending}`
}

/** The name of the `count`-th file of that name, from 1. */
export const numberedName = (name: string, count: number): string => {
  if (count === 1) return name
  const [stem, ending] = splitEnding(name)
  return `${stem}-${count}${ending}`
}
