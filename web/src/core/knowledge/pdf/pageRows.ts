/** Width and height of a page at 100 %, in CSS pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Where the pages stand, one below the other, in CSS pixels. */
export interface PageRows {
  readonly tops: ReadonlyArray<number>
  readonly heights: ReadonlyArray<number>
  /** Of all pages with the gaps around them. */
  readonly height: number
  /** Of the widest page. */
  readonly width: number
}

/** Places pages one below the other at a zoom, with a gap before, between and after them. */
export const pageRows = (sizes: ReadonlyArray<PageSize>, zoom: number, gap: number): PageRows => {
  const tops: Array<number> = []
  const heights: Array<number> = []
  let top = gap
  let width = 0
  for (const size of sizes) {
    const height = Math.round(size.height * zoom)
    tops.push(top)
    heights.push(height)
    top += height + gap
    width = Math.max(width, Math.round(size.width * zoom))
  }
  return { tops, heights, height: top, width }
}

/** Index of the page at a height: the last one that begins at or above it, the first one above all. */
export const pageAt = ({ tops }: PageRows, y: number): number => {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** Indexes of the pages any part of which lies between two heights, the nearest to the middle between them first. */
export const pagesBetween = (rows: PageRows, from: number, to: number): ReadonlyArray<number> => {
  const middle = (from + to) / 2
  const distance = (index: number) => {
    const top = rows.tops[index] ?? 0
    return Math.max(top - middle, middle - (top + (rows.heights[index] ?? 0)), 0)
  }
  const found: Array<number> = []
  for (let index = pageAt(rows, from); index < rows.tops.length && (rows.tops[index] ?? 0) <= to; index++) {
    if ((rows.tops[index] ?? 0) + (rows.heights[index] ?? 0) >= from) found.push(index)
  }
  return found.sort((a, b) => distance(a) - distance(b) || a - b)
}

/** A place in the document that stays the same whatever the zoom: a page, and how far down on it (0 to 1). */
export interface PagePlace {
  readonly index: number
  readonly part: number
}

export const placeAt = (rows: PageRows, y: number): PagePlace => {
  const index = pageAt(rows, y)
  const height = rows.heights[index] ?? 0
  return { index, part: height === 0 ? 0 : Math.min(1, (y - (rows.tops[index] ?? 0)) / height) }
}

/** The height of a place. */
export const heightOf = (rows: PageRows, { index, part }: PagePlace): number =>
  (rows.tops[index] ?? 0) + part * (rows.heights[index] ?? 0)

/** Index of the page of which most is seen between two heights; of equals the first. */
export const mostSeen = (rows: PageRows, from: number, to: number): number => {
  let best = pageAt(rows, from)
  let most = 0
  for (let index = best; index < rows.tops.length && (rows.tops[index] ?? 0) < to; index++) {
    const top = rows.tops[index] ?? 0
    const seen = Math.min(to, top + (rows.heights[index] ?? 0)) - Math.max(from, top)
    if (seen > most) [best, most] = [index, seen]
  }
  return best
}
