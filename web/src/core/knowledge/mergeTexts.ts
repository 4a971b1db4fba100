import { diffArrays } from "diff"
import { lineBreakOf } from "./lineEndings.ts"

type Lines = ReadonlyArray<string>

/** A piece of two texts that were made from the same one, in the order of the text. */
export type MergePiece =
  | { readonly kind: "same"; readonly lines: Lines }
  /** Changed by one side, or by both in the same way; `before` is what both began with. */
  | { readonly kind: "merged"; readonly by: "mine" | "theirs" | "both"; readonly before: Lines; readonly lines: Lines }
  | MergeConflict

/** A piece that both sides changed differently; no lines where a side removed them. */
export interface MergeConflict {
  readonly kind: "conflict"
  /** Stays the same for the same words when the texts are merged again. */
  readonly key: string
  readonly mine: Lines
  readonly theirs: Lines
  /** The changes of both, in the order of the text where they only touch, otherwise theirs and then mine. */
  readonly both: Lines
  readonly isInOrder: boolean
}

/** What a person wants in a conflicting piece. */
export type MergeDecision = "mine" | "theirs" | "both" | { readonly written: string }

export interface TextMerge {
  readonly pieces: ReadonlyArray<MergePiece>
  readonly conflicts: ReadonlyArray<MergeConflict>
  /** Changes that are lost when the whole text of the other side is taken. */
  readonly changes: { readonly mine: number; readonly theirs: number }
  readonly lineBreak: string
}

/** Lines `start` to `end` of the common text became `lines`. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly lines: Lines
}

/** Texts that differ in more lines are compared as one piece: finding the smallest difference takes too long. */
const MAX_EDITS = 1_500

const sameLines = (a: Lines, b: Lines): boolean => a.length === b.length && a.every((line, at) => line === b[at])

/** How many lines two texts begin and end with in common. */
const commonEnds = (a: Lines, b: Lines): { readonly head: number; readonly tail: number } => {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return { head, tail }
}

const editsOf = (before: Lines, after: Lines): ReadonlyArray<Edit> => {
  const found = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS })
  if (found === undefined) {
    const { head, tail } = commonEnds(before, after)
    return [{ start: head, end: before.length - tail, lines: after.slice(head, after.length - tail) }]
  }
  const edits: Array<{ start: number; end: number; lines: Lines }> = []
  let at = 0
  let open: (typeof edits)[number] | null = null
  for (const { value, added, removed } of found) {
    if (!added && !removed) {
      at += value.length
      open = null
      continue
    }
    if (open === null) {
      open = { start: at, end: at, lines: [] }
      edits.push(open)
    }
    if (added) open.lines = open.lines.concat(value)
    else {
      at += value.length
      open.end = at
    }
  }
  return edits
}

/** What a side made of lines `start` to `end` of the common text. */
const sideOf = (base: Lines, edits: ReadonlyArray<Edit>, start: number, end: number): Lines => {
  const parts: Array<Lines> = []
  let at = start
  for (const edit of edits) {
    parts.push(base.slice(at, edit.start), edit.lines)
    at = edit.end
  }
  return [...parts, base.slice(at, end)].flat()
}

/** Changes of both sides that overlap or touch, with what neither changed between them. */
const regionsOf = (base: Lines, mine: ReadonlyArray<Edit>, theirs: ReadonlyArray<Edit>): ReadonlyArray<MergePiece> => {
  const pieces: Array<MergePiece> = []
  const waiting = [
    ...mine.map((edit) => ({ ...edit, side: "mine" as const })),
    ...theirs.map((edit) => ({ ...edit, side: "theirs" as const }))
  ].sort((a, b) => a.start - b.start || a.end - b.end)
  let at = 0
  for (let next = 0; next < waiting.length; ) {
    const group: Array<(typeof waiting)[number]> = []
    const start = waiting[next]?.start ?? at
    let end = start
    for (let one = waiting[next]; one !== undefined && one.start <= end; one = waiting[++next]) {
      group.push(one)
      end = Math.max(end, one.end)
    }
    if (start > at) pieces.push({ kind: "same", lines: base.slice(at, start) })
    const by = (side: "mine" | "theirs") => group.filter((edit) => edit.side === side)
    const made = (side: "mine" | "theirs") => sideOf(base, by(side), start, end)
    const before = base.slice(start, end)
    if (by("theirs").length === 0) pieces.push({ kind: "merged", by: "mine", before, lines: made("mine") })
    else if (by("mine").length === 0) pieces.push({ kind: "merged", by: "theirs", before, lines: made("theirs") })
    else pieces.push(...contested(before, made("mine"), made("theirs"), inOrder(base, group)))
    at = end
  }
  if (at < base.length) pieces.push({ kind: "same", lines: base.slice(at) })
  return pieces
}

/** Both sides' changes one after the other; null where they change the same lines, or add some at the same place. */
const inOrder = (base: Lines, edits: ReadonlyArray<Edit>): Lines | null => {
  const [first] = edits
  let end = first?.start ?? 0
  let added = -1
  for (const edit of edits) {
    const adds = edit.start === edit.end
    if (edit.start < end || (adds && edit.start === added)) return null
    end = edit.end
    if (adds) added = edit.start
  }
  return sideOf(base, edits, first?.start ?? 0, end)
}

/** What both sides changed: agreed where they wrote the same, otherwise only what differs is to be decided. */
const contested = (before: Lines, mine: Lines, theirs: Lines, both: Lines | null): ReadonlyArray<MergePiece> => {
  if (sameLines(mine, theirs)) return [{ kind: "merged", by: "both", before, lines: mine }]
  if (both !== null) return [{ kind: "conflict", key: "", mine, theirs, both, isInOrder: true }]
  const { head, tail } = commonEnds(mine, theirs)
  const pieces: Array<MergePiece> = []
  if (head > 0) pieces.push({ kind: "same", lines: mine.slice(0, head) })
  pieces.push(stacked(mine.slice(head, mine.length - tail), theirs.slice(head, theirs.length - tail)))
  if (tail > 0) pieces.push({ kind: "same", lines: mine.slice(mine.length - tail) })
  return pieces
}

const stacked = (mine: Lines, theirs: Lines): MergeConflict => ({
  kind: "conflict",
  key: "",
  mine,
  theirs,
  both: [...theirs, ...mine],
  isInOrder: false
})

/** Without the text that both began with, every difference is to be decided. */
const differences = (mine: Lines, theirs: Lines): ReadonlyArray<MergePiece> =>
  regionsOf(theirs, editsOf(theirs, mine), []).map((piece) =>
    piece.kind === "merged" ? stacked(piece.lines, piece.before) : piece
  )

const withKeys = (pieces: ReadonlyArray<MergePiece>): ReadonlyArray<MergePiece> => {
  const met = new Map<string, number>()
  return pieces.map((piece) => {
    if (piece.kind !== "conflict") return piece
    const words = JSON.stringify([piece.mine, piece.theirs])
    const count = (met.get(words) ?? 0) + 1
    met.set(words, count)
    return { ...piece, key: `${count}:${words}` }
  })
}

/** The line break of the side that changed it; a text of one line says nothing about it. */
const breakOf = (base: string | null, mine: string, theirs: string): string => {
  const changed = base !== null && /[\r\n]/.test(mine) && lineBreakOf(mine) !== lineBreakOf(base)
  return lineBreakOf(changed || !/[\r\n]/.test(theirs) ? mine : theirs)
}

const linesOf = (text: string): Lines => text.split(lineBreakOf(text))

/**
 * Puts two texts together that were made from the same one, line by line. What only one side changed is merged; lines
 * that both changed, also right beside each other, are left to a person. Without `base`, every difference is.
 */
export const mergeTexts = (base: string | null, mine: string, theirs: string): TextMerge => {
  const [own, others] = [linesOf(mine), linesOf(theirs)]
  const common = base === null ? null : linesOf(base)
  const pieces = withKeys(
    common === null ? differences(own, others) : regionsOf(common, editsOf(common, own), editsOf(common, others))
  )
  const conflicts = pieces.filter((piece) => piece.kind === "conflict")
  const changedBy = (side: "mine" | "theirs") =>
    conflicts.length + pieces.filter((piece) => piece.kind === "merged" && piece.by === side).length
  return {
    pieces,
    conflicts,
    changes: { mine: changedBy("mine"), theirs: changedBy("theirs") },
    lineBreak: breakOf(base, mine, theirs)
  }
}

/** The lines of a conflicting piece after a decision. */
const decidedLines = ({ both, mine, theirs }: MergeConflict, decision: MergeDecision): Lines => {
  if (decision === "mine") return mine
  if (decision === "theirs") return theirs
  if (decision === "both") return both
  return decision.written === "" ? [] : decision.written.split(/\r\n|\r|\n/)
}

/** The merged text; null while a conflicting piece is undecided. */
export const mergedText = (
  { lineBreak, pieces }: TextMerge,
  decisions: Readonly<Record<string, MergeDecision>>
): string | null => {
  const parts: Array<Lines> = []
  for (const piece of pieces) {
    const decision = piece.kind === "conflict" ? decisions[piece.key] : undefined
    if (piece.kind !== "conflict") parts.push(piece.lines)
    else if (decision === undefined) return null
    else parts.push(decidedLines(piece, decision))
  }
  return parts.flat().join(lineBreak)
}
