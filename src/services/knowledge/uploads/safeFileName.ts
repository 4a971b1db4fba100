/** The maximum bytes of a name, with room for a number and for other systems' additions. */
const MAX_BYTES = 180
/** Endings longer than this are part of the name. */
const MAX_ENDING = 16
/** Names that Windows reserves for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
/** Joiners, which Persian and Indian scripts and emoji need; a name without them is another name. */
const JOINER = String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])`
/** Control characters, and invisible or bidirectional marks. */
const UNSEEN = new RegExp(String.raw`(?!${JOINER})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, "gu")
const LAST_JOINERS = /[\u200c\u200d]+$/
/** Characters with a special meaning in a file system, a quoted path or Markdown. */
const SPECIAL = /[<>:"|?*`\\/]/g

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** A name's beginning and its ending with the dot, if it has one. */
const splitEnding = (name: string): readonly [stem: string, ending: string] => {
  const dot = name.lastIndexOf(".")
  return dot > 0 && name.length - dot <= MAX_ENDING ? [name.slice(0, dot), name.slice(dot)] : [name, ""]
}

/** Cuts a text to a number of bytes, between characters. */
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
 * Returns a file name that is valid on any system: the last part of a path, without invisible or special characters, at
 * most 180 bytes, with its extension.
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
