import type { FoundPath } from "../../../../src/contract/schema/files.ts"
import { looksLikePath, mentionAt } from "./mentionAt.ts"
import type { Completion } from "./slashCommands.ts"

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
