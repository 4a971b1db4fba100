import { diffWordsWithSpace } from "diff"

/** A stretch of a text; `marked` where the other text has other words. */
export interface MarkedText {
  readonly text: string
  readonly marked: boolean
}

/** Longer texts are shown without marks: finding them takes too long. */
const MAX_LENGTH = 20_000
const MAX_EDITS = 500

/** Where the words of two texts differ, in both of them. */
export const wordMarks = (
  before: string,
  after: string
): { readonly before: ReadonlyArray<MarkedText>; readonly after: ReadonlyArray<MarkedText> } => {
  const isLong = before.length + after.length > MAX_LENGTH
  const changes = isLong ? undefined : diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS })
  if (changes === undefined || changes.every(({ added, removed }) => added || removed))
    return { before: [{ text: before, marked: false }], after: [{ text: after, marked: false }] }
  const without = (side: "added" | "removed") =>
    changes
      .filter((change) => !change[side])
      .map(({ value, added, removed }) => ({ text: value, marked: added || removed }))
  return { before: without("added"), after: without("removed") }
}
