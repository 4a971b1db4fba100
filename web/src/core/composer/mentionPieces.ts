import { looksLikePath } from "./mentionAt.ts"

/** A piece of a message; with a path, one that names a file. */
export interface WordPiece {
  readonly text: string
  readonly path?: string
}

const NAMED = /(^|[\s([{,;])(@(?:"([^"\n]+)"|([^\s"@]+)))/g
const TRAILING = /[.,;:!?)\]}'"]+$/

/** A text in pieces, those that name files apart. */
export function mentionPieces(text: string): ReadonlyArray<WordPiece> {
  const pieces: Array<WordPiece> = []
  let at = 0
  for (const match of text.matchAll(NAMED)) {
    const [, lead = "", all = "", quoted, plain = ""] = match
    const name = quoted ?? plain.replace(TRAILING, "")
    if (quoted === undefined && !looksLikePath(name)) continue
    const start = match.index + lead.length
    const end = start + (quoted === undefined ? name.length + 1 : all.length)
    if (start > at) pieces.push({ text: text.slice(at, start) })
    pieces.push({ text: text.slice(start, end), path: name })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}
