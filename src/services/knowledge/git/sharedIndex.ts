const NAME = Buffer.from("link", "latin1")
const HEADER_BYTES = 8
/** No extension is larger than an index may be, so most names of files that contain "link" are told from it. */
const MAX_SIZE = 32 * 1024 * 1024
/** How many places are tried at most; more are nobody's but an attacker's. */
const MAX_TRIES = 64

/** How many bytes of a piece the next one must begin with, so that nothing is missed between them. */
export const OVERLAP = HEADER_BYTES + 32

/**
 * Finds the names of the files that a split index may go on in: wherever a piece of it looks like the extension that
 * has one. At most one is real; there is no file of the others' names.
 */
export const sharedIndexFinder = (hash: "sha1" | "sha256") => {
  const length = hash === "sha1" ? 20 : 32
  const names = new Set<string>()
  let tries = 0
  const look = (piece: Buffer): void => {
    for (let at = piece.indexOf(NAME); at >= 0 && tries < MAX_TRIES; at = piece.indexOf(NAME, at + 1)) {
      const start = at + HEADER_BYTES
      if (start + length > piece.length) return
      const size = piece.readUInt32BE(at + NAME.length)
      if (size < length || size > MAX_SIZE) continue
      tries += 1
      names.add(`sharedindex.${piece.toString("hex", start, start + length)}`)
    }
  }
  return { names, look }
}
