import { diffArrays, diffWordsWithSpace } from "diff"

/** A line of a comparison; numbers start at 1 and are null on the side that lacks the line. */
export interface DiffRow {
  readonly kind: "same" | "removed" | "added"
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

/** A line of a side-by-side comparison; null if one side has nothing. */
export interface DiffPair {
  readonly left: DiffRow | null
  readonly right: DiffRow | null
}

/** Rows to show, or unchanged rows to hide until requested. */
export interface DiffPart {
  readonly hidden: boolean
  readonly rows: ReadonlyArray<DiffRow>
}

/** Unchanged lines kept around a change. */
const CONTEXT = 3
/**
 * Texts that differ in more lines are shown as all removed and all added: finding the smallest difference takes too
 * long.
 */
const MAX_EDITS = 1_500

const linesOf = (text: string): Array<string> => {
  if (text === "") return []
  const lines = text.split(/\r\n|\n|\r/)
  if (lines[lines.length - 1] === "") lines.pop()
  return lines
}

/** Compares two texts line by line. All kinds of line endings count as the same. */
export const diffRows = (before: string, after: string): ReadonlyArray<DiffRow> => {
  const old = linesOf(before)
  const now = linesOf(after)
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { value: old, removed: true, added: false, count: old.length },
    { value: now, removed: false, added: true, count: now.length }
  ]
  const rows: Array<DiffRow> = []
  let left = 0
  let right = 0
  for (const { value, added, removed } of changes) {
    for (const text of value) {
      if (added) rows.push({ kind: "added", before: null, after: ++right, text })
      else if (removed) rows.push({ kind: "removed", before: ++left, after: null, text })
      else rows.push({ kind: "same", before: ++left, after: ++right, text })
    }
  }
  return rows
}

/** How many lines were added and removed. */
export const countChanges = (rows: ReadonlyArray<DiffRow>): { readonly added: number; readonly removed: number } => ({
  added: rows.filter((row) => row.kind === "added").length,
  removed: rows.filter((row) => row.kind === "removed").length
})

/** Splits rows into those near a change and the rest; a gap of one line isn't worth hiding. */
export const foldRows = (rows: ReadonlyArray<DiffRow>): ReadonlyArray<DiffPart> => {
  const near = rows.map(() => false)
  for (const [index, row] of rows.entries()) {
    if (row.kind === "same") continue
    for (let at = Math.max(0, index - CONTEXT); at <= Math.min(rows.length - 1, index + CONTEXT); at++) near[at] = true
  }
  const parts: Array<{ hidden: boolean; rows: Array<DiffRow> }> = []
  for (const [index, row] of rows.entries()) {
    const alone = near[index - 1] !== false && near[index + 1] !== false
    const hidden = near[index] === false && !alone
    const last = parts[parts.length - 1]
    if (last !== undefined && last.hidden === hidden) last.rows.push(row)
    else parts.push({ hidden, rows: [row] })
  }
  return parts
}

/** Puts removed lines next to the lines that replaced them. */
export const pairRows = (rows: ReadonlyArray<DiffRow>): ReadonlyArray<DiffPair> => {
  const pairs: Array<DiffPair> = []
  let removed: Array<DiffRow> = []
  let added: Array<DiffRow> = []
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ left: removed[at] ?? null, right: added[at] ?? null })
    removed = []
    added = []
  }
  for (const row of rows) {
    if (row.kind === "removed") {
      if (added.length > 0) flush()
      removed.push(row)
    } else if (row.kind === "added") added.push(row)
    else {
      flush()
      pairs.push({ left: row, right: row })
    }
  }
  flush()
  return pairs
}

/** A stretch of a text; `marked` where the other text has other words. */
export interface MarkedText {
  readonly text: string
  readonly marked: boolean
}

/** Longer texts are shown without marks: finding them takes too long. */
const MAX_LENGTH = 20_000
const MAX_WORD_EDITS = 500

/** Where the words of two texts differ, in both of them. */
export const wordMarks = (
  before: string,
  after: string
): { readonly before: ReadonlyArray<MarkedText>; readonly after: ReadonlyArray<MarkedText> } => {
  const isLong = before.length + after.length > MAX_LENGTH
  const changes = isLong ? undefined : diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS })
  if (changes === undefined || changes.every(({ added, removed }) => added || removed))
    return { before: [{ text: before, marked: false }], after: [{ text: after, marked: false }] }
  const without = (side: "added" | "removed") =>
    changes
      .filter((change) => !change[side])
      .map(({ value, added, removed }) => ({ text: value, marked: added || removed }))
  return { before: without("added"), after: without("removed") }
}
