import type { Link } from "./cyclePath.ts"

/** A card from which the links lead back to itself, if there's any; for many links, of which each is followed once. */
export const cardInCycle = (links: ReadonlyArray<Link>): string | undefined => {
  const from = Map.groupBy(links, (link) => link.from)
  const to = Map.groupBy(links, (link) => link.to)
  const left = new Map([...from].map(([card, ways]) => [card, ways.length]))
  // Where the links end, there's no way back: without those cards, links end at others.
  const ended = [...to.keys()].filter((card) => !from.has(card))
  for (const card of ended) {
    for (const link of to.get(card) ?? []) {
      const ways = (left.get(link.from) ?? 0) - 1
      left.set(link.from, ways)
      if (ways === 0) ended.push(link.from)
    }
  }
  const isLeft = (card: string): boolean => (left.get(card) ?? 0) > 0
  // Each of the others leads to another one of them, so that some card comes twice.
  const passed = new Set<string>()
  let at = [...left.keys()].find(isLeft)
  while (at !== undefined && !passed.has(at)) {
    passed.add(at)
    at = from.get(at)?.find((link) => isLeft(link.to))?.to
  }
  return at
}
