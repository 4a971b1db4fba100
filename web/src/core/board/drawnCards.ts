/** A card that is drawn, and the pixels left empty before and after it for cards that aren't. */
interface DrawnCard {
  readonly index: number
  readonly gap: number
  /** Only after the last one. */
  readonly after: number
}

/** The cards of a column that are drawn. */
export type DrawnCards = ReadonlyArray<DrawnCard>

/** Where a card is in its column, in pixels. */
interface Placed {
  readonly index: number
  readonly start: number
  readonly end: number
}

/** The drawn cards with the gaps between them, of a column that is so high in all. */
export const spacedCards = (placed: ReadonlyArray<Placed>, height: number): DrawnCards =>
  placed.map(({ index, start, end }, at) => ({
    index,
    gap: Math.max(0, start - (placed[at - 1]?.end ?? 0)),
    after: at === placed.length - 1 ? Math.max(0, height - end) : 0
  }))

/** The first cards of a column, before anything is measured. */
export const firstCards = (total: number, drawn: number, height: number): DrawnCards =>
  spacedCards(
    Array.from({ length: Math.min(total, drawn) }, (_, index) => ({
      index,
      start: index * height,
      end: (index + 1) * height
    })),
    total * height
  )

export const sameCards = (a: DrawnCards, b: DrawnCards): boolean =>
  a.length === b.length &&
  a.every(({ index, gap, after }, at) => {
    const other = b[at]
    return index === other?.index && gap === other.gap && after === other.after
  })

/** The indexes in sight with some before and after, and one more that is drawn wherever it is; -1 for none. */
export const drawnIndexes = (
  sight: { readonly startIndex: number; readonly endIndex: number; readonly overscan: number; readonly count: number },
  kept: number
): Array<number> => {
  const first = Math.max(0, sight.startIndex - sight.overscan)
  const last = Math.min(sight.count - 1, sight.endIndex + sight.overscan)
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset)
  if (kept < 0 || kept >= sight.count || (kept >= first && kept <= last)) return indexes
  return kept < first ? [kept, ...indexes] : [...indexes, kept]
}
