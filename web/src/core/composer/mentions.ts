import type { FoundPath } from "../../../../src/contract/schema/files.ts"
import type { Completion } from "./slashCommands.ts"

/** A path that is being typed. */
interface Begun {
  /** Where its `@` is. */
  readonly start: number
  readonly query: string
}

/** How far back the beginning of a path is looked for. */
const LOOKED_BACK = 500
const BEGUN = /(?:^|[\s([{,;])@(?:"([^"\n]*)|([^\s"@]*))$/

/** The path that is being typed right before the caret; null for none. */
export const mentionAt = (text: string, caret: number): Begun | null => {
  const found = BEGUN.exec(text.slice(Math.max(0, caret - LOOKED_BACK), caret))
  if (found === null) return null
  const query = found[1] ?? found[2] ?? ""
  return { start: caret - query.length - (found[1] === undefined ? 1 : 2), query }
}

/** Without quotes, only what ends like a file's name or a folder is taken for a path. */
const PATH = /^(?!\/|\.\.)[^\s"@]*(?:\.\w{1,8}|\/)$/

const looksLikePath = (text: string): boolean => PATH.test(text)

const NEEDS_QUOTES = /[\s'()[\]{},;!?]/

const isPlain = (path: string): boolean => looksLikePath(path) && !NEEDS_QUOTES.test(path)

/** The text with a path in the place of what was typed of it, and where the caret goes: behind it, or into a folder. */
export const withMention = (
  text: string,
  caret: number,
  { path, type }: FoundPath
): { readonly text: string; readonly caret: number } => {
  const start = mentionAt(text, caret)?.start ?? caret
  const isFolder = type === "directory"
  const name = isFolder ? `${path}/` : path
  const isQuoted = text[start + 1] === '"'
  const rest = text.slice(caret)
  const after = isQuoted && rest.startsWith('"') ? rest.slice(1) : rest
  const mention = isPlain(name) ? `@${name}` : `@"${name}"`
  const before = `${text.slice(0, start)}${mention}`
  if (isFolder) return { text: before + after, caret: before.length - (isPlain(name) ? 0 : 1) }
  return /^\s/.test(after)
    ? { text: before + after, caret: before.length + 1 }
    : { text: `${before} ${after}`, caret: before.length + 1 }
}

/** The lines for a path that is being typed. */
export const completeMention = (
  text: string,
  caret: number,
  entries: ReadonlyArray<FoundPath>
): ReadonlyArray<Completion> =>
  entries.map((entry) => ({
    ...withMention(text, caret, entry),
    label: entry.type === "directory" ? `${entry.path}/` : entry.path,
    hint: ""
  }))

/** A piece of a message; with a path, one that names a file. */
interface WordPiece {
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
