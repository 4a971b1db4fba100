/** A path that is being typed. */
export interface Begun {
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

export const looksLikePath = (text: string): boolean => PATH.test(text)
