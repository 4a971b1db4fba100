/** How many letters have to be typed, left out, exchanged or swapped with their neighbour to get from one name to the other. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let above: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    before = above
    above = next
  }
  return above[other.length] ?? 0
}

/** The name that somebody most likely meant, if one is close: mistyped, in small letters, or without its first word. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const typed = name.toUpperCase().replaceAll("-", "_")
  const most = Math.max(2, Math.floor(typed.length / 4))
  const [nearest] = known
    .map((one) => ({ one, far: distance(typed, one) }))
    .filter(({ one, far }) => far <= Math.min(most, one.length - 2))
    .toSorted((one, other) => one.far - other.far)
  return nearest?.one ?? known.find((one) => one.endsWith(`_${typed}`))
}
