/** Where two texts differ: `from` to `to` of the old one became `from` to `end` of the new one. */
export const changedRange = (
  before: string,
  after: string
): { readonly from: number; readonly to: number; readonly end: number } => {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++
  let same = 0
  while (
    same < shorter - from &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++
  return { from, to: before.length - same, end: after.length - same }
}
