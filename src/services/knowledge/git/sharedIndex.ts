const NAME = Buffer.from("link", "latin1")
const HEADER_BYTES = 8
/** The maximum size of an extension, which excludes most file names that contain "link". */
const MAX_SIZE = 32 * 1024 * 1024
/** The maximum number of matches to check; only an attack has more. */
const MAX_TRIES = 64

/** The overlap of two chunks, so that no match is missed between them. */
export const OVERLAP = HEADER_BYTES + 32

/**
 * Finds candidates for the name of a split index's shared file, wherever its bytes look like the extension with that
 * name. At most one is real; the others name no existing file.
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
