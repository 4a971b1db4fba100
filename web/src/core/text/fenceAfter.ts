const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/
/** Spaces that a closing fence has at most before it, counted from where its block of code begins. */
const MAX_INDENT = 3

/** A fence that begins a block of code. */
export interface Fence {
  readonly mark: string
  /** Characters before it. */
  readonly indent: number
}

/** The fence that is open after a line, for who only has lines: what draws a text asks its parser. */
export function fenceAfter(open: Fence | null, line: string): Fence | null {
  const [, space = "", mark = "", rest = ""] = FENCE.exec(line) ?? []
  if (mark === "") return open
  if (open === null) return mark.startsWith("`") && rest.includes("`") ? null : { mark, indent: space.length }
  const isEnd =
    mark[0] === open.mark[0] &&
    mark.length >= open.mark.length &&
    rest.trim() === "" &&
    space.length <= open.indent + MAX_INDENT
  return isEnd ? null : open
}
