const FENCE = /^\s*(`{3,}|~{3,})(.*)$/
const LIST = /^\s*([-*+]|\d{1,9}[.)])(\s|$)/
/** The start of a line that may still become a list item or an indented line. */
const UNDECIDED = /^\s*([-*+]|\d{1,9}[.)]?)?$/

/**
 * Splits markdown at blank lines outside fences and lists; joining the blocks gives the text. While a text grows,
 * only its last block changes: a boundary is only set if nothing that follows can undo it.
 */
export function splitBlocks(text: string): ReadonlyArray<string> {
  const blocks: Array<string> = []
  let start = 0
  let blank = -1
  let fence: string | null = null
  let hasList = false
  let position = 0
  while (position < text.length) {
    const newline = text.indexOf("\n", position)
    const end = newline < 0 ? text.length : newline + 1
    const line = text.slice(position, newline < 0 ? end : newline)
    const isEmpty = line.trim() === ""
    if (fence === null && !isEmpty && blank >= 0) {
      const continues =
        hasList && (/^\s{2,}|^\t/.test(line) || LIST.test(line) || (newline < 0 && UNDECIDED.test(line)))
      if (!continues) {
        blocks.push(text.slice(start, position))
        start = position
        hasList = false
      }
    }
    if (!isEmpty) blank = -1
    else if (position > start && blank < 0) blank = position
    fence = fenceAfter(fence, line)
    if (fence === null && LIST.test(line)) hasList = true
    position = end
  }
  if (start < text.length) blocks.push(text.slice(start))
  return blocks
}

/** The fence that is open after a line. */
export function fenceAfter(open: string | null, line: string): string | null {
  const [, mark = "", rest = ""] = FENCE.exec(line) ?? []
  if (mark === "") return open
  if (open === null) return mark.startsWith("`") && rest.includes("`") ? null : mark
  return mark[0] === open[0] && mark.length >= open.length && rest.trim() === "" ? null : open
}

/** Whether a block ends inside a fence, so its code is still being written. */
export function endsInFence(block: string): boolean {
  return block.split("\n").reduce<string | null>(fenceAfter, null) !== null
}
