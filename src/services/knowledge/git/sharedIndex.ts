const NAME = Buffer.from("link", "latin1")
const HEADER_BYTES = 8
/** How many names are tried at most. */
const MAX_NAMES = 16

/** How many bytes of a piece the next one must begin with, so that nothing is missed between them. */
export const OVERLAP = HEADER_BYTES + 32

/**
 * Names of the files that a split index may go on in: wherever a piece of it looks like the extension that has one.
 * There is at most one real name; the others are of no file.
 */
export const sharedIndexNames = (piece: Buffer, hash: "sha1" | "sha256", found: Set<string>): void => {
  const length = hash === "sha1" ? 20 : 32
  for (let at = piece.indexOf(NAME); at >= 0 && found.size < MAX_NAMES; at = piece.indexOf(NAME, at + 1)) {
    const start = at + HEADER_BYTES
    if (start + length > piece.length) return
    const size = piece.readUInt32BE(at + NAME.length)
    if (size >= length) found.add(`sharedindex.${piece.toString("hex", start, start + length)}`)
  }
}
