const KILOBYTE = 1024
/** Bytes of a tool's arguments or output that are shown, and how many of them are its end. */
export const SHOWN_BYTES = 64 * KILOBYTE
const TAIL_BYTES = 16 * KILOBYTE

/** A text, or its beginning and end, with the bytes of all of it where that is cut. */
interface Cut {
  readonly text: string
  readonly bytes?: number
}

/** The bytes of a text from one place to another, without the halves of characters at both ends. */
const between = (bytes: Buffer, from: number, to: number): string => {
  let [start, end] = [from, to]
  const isInside = (at: number) => at < bytes.byteLength && ((bytes[at] ?? 0) & 0xc0) === 0x80
  while (start > 0 && isInside(start)) start += 1
  while (end > start && isInside(end)) end -= 1
  return bytes.subarray(start, end).toString()
}

/**
 * A text's first 48 and at most its last 16 KB. The end begins at a multiple of 16 KB, so that a text which grows is
 * only added to most of the time.
 */
export const cutBytes = (text: string): Cut => {
  if (text.length * 3 <= SHOWN_BYTES) return { text }
  const bytes = Buffer.from(text)
  const size = bytes.byteLength
  if (size <= SHOWN_BYTES) return { text }
  const head = between(bytes, 0, SHOWN_BYTES - TAIL_BYTES)
  const tail = between(bytes, size - (size % TAIL_BYTES || TAIL_BYTES), size)
  return { text: head + tail, bytes: size }
}

/** The beginning of a text. */
export const beginning = (text: string): Cut => {
  if (text.length * 3 <= SHOWN_BYTES) return { text }
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= SHOWN_BYTES) return { text }
  return { text: between(bytes, 0, SHOWN_BYTES), bytes: bytes.byteLength }
}
