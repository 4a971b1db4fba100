/**
 * How many letters two words differ in: changed, missing, added, or two neighbours in the wrong order. More than `most`
 * is `most + 1`.
 */
export const editDistance = (one: string, other: string, most: number): number => {
  const [first, second] = [[...one], [...other]]
  if (Math.abs(first.length - second.length) > most) return most + 1
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = second.map((_, at) => at).concat(second.length)
  for (const [row, letter] of first.entries()) {
    const next = [row + 1]
    for (const [column, against] of second.entries()) {
      const isSame = letter === against
      const isSwapped = row > 0 && column > 0 && letter === second[column - 1] && first[row - 1] === against
      next.push(
        Math.min(
          (last[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          (last[column] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    if (Math.min(...next) > most) return most + 1
    before = last
    last = next
  }
  return Math.min(last.at(-1) ?? 0, most + 1)
}
