import type { FoundPath } from "../../../contract/schema/files.ts"

/** A path prepared for searching. */
export interface IndexedPath extends FoundPath {
  /** In lower case. */
  readonly lower: string
  /** The offset of its name. */
  readonly nameAt: number
  /** The number of its folders. */
  readonly depth: number
}

/** Normalises letters, so that their variants match. */
const folded = (text: string): string => text.normalize("NFC").toLowerCase()

export const indexedPath = ({ path, type }: FoundPath): IndexedPath => {
  const lower = folded(path)
  return { path, type, lower, nameAt: lower.lastIndexOf("/") + 1, depth: lower.split("/").length - 1 }
}

/** Whether all letters occur in that order, from `start` on. */
const hasInOrder = (text: string, letters: string, start: number): boolean => {
  let at = start
  for (const letter of letters) {
    at = text.indexOf(letter, at)
    if (at === -1) return false
    at += letter.length
  }
  return true
}

const BOUNDARY = /[\s._/-]/

/** Rates how well a path matches, from 0 for best; null if it doesn't. */
const rankOf = ({ lower, nameAt }: IndexedPath, sought: string): number | null => {
  if (sought.includes("/")) {
    if (lower.startsWith(sought)) return 0
    if (lower.includes(sought)) return 3
    return hasInOrder(lower, sought, 0) ? 6 : null
  }
  const inName = lower.indexOf(sought, nameAt)
  if (inName === nameAt) return lower.length - nameAt === sought.length ? 0 : 1
  if (inName !== -1) return BOUNDARY.test(lower[inName - 1] ?? "") ? 2 : 3
  if (lower.includes(sought)) return 4
  if (hasInOrder(lower, sought, nameAt)) return 5
  return hasInOrder(lower, sought, 0) ? 6 : null
}

const nearest = (left: IndexedPath, right: IndexedPath): number =>
  left.depth - right.depth ||
  left.lower.length - right.lower.length ||
  (left.lower < right.lower ? -1 : left.lower > right.lower ? 1 : 0)

/**
 * Returns the matching paths, best first, and whether there are more than `limit`: names with the prefix, then names
 * that contain it, then paths, then those with its letters in order; the shallowest first. An empty query returns the
 * shallowest paths.
 */
export const rankPaths = (
  paths: ReadonlyArray<IndexedPath>,
  query: string,
  limit: number
): { readonly entries: ReadonlyArray<FoundPath>; readonly isCut: boolean } => {
  const sought = folded(query).replace(/^\.?\/+/, "")
  const found = paths.flatMap((path) => {
    const rank = sought === "" ? path.depth : rankOf(path, sought)
    return rank === null ? [] : [{ rank, path }]
  })
  found.sort((left, right) => left.rank - right.rank || nearest(left.path, right.path))
  return {
    entries: found.slice(0, limit).map(({ path: { path, type } }) => ({ path, type })),
    isCut: found.length > limit
  }
}
