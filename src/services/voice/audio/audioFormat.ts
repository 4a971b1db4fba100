/** Audio formats with a signature at the start, by the converter's name for them. */
export type AudioFormat = "mp3" | "wav" | "ogg" | "flac" | "matroska" | "mov" | "aac"

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  bytes.length >= at + text.length && [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0))

/** How many bytes at the start identify a format. */
export const FORMAT_BYTES = 12

/** The format identified by the first bytes, if any. */
export const audioFormat = (bytes: Uint8Array): AudioFormat | undefined => {
  if (startsWith(bytes, "ID3")) return "mp3"
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WAVE", 8)) return "wav"
  if (startsWith(bytes, "OggS")) return "ogg"
  if (startsWith(bytes, "fLaC")) return "flac"
  if (startsWith(bytes, "\x1A\x45\xDF\xA3")) return "matroska"
  if (startsWith(bytes, "ftyp", 4)) return "mov"
  const [first = 0, second = 0] = bytes
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  // The two bits of the layer are zero in AAC frames and never in those of MP3.
  return (second & 0x06) === 0 ? "aac" : "mp3"
}

const TAG_HEADER = 10
const FOOTER_FLAG = 0x10

/** Length of the ID3v2 tag at the beginning of MP3 bytes, 0 if there is none; the tag may be longer than the bytes. */
export const tagLength = (bytes: Uint8Array): number => {
  if (!startsWith(bytes, "ID3") || bytes.length < TAG_HEADER) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6)
  const size = ((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f)
  return TAG_HEADER + size + (((bytes[5] ?? 0) & FOOTER_FLAG) === 0 ? 0 : TAG_HEADER)
}
