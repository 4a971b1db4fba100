/** From one card to another: the first waits for the second, or is a part of it. */
export interface Link {
  readonly from: string
  readonly to: string
}

/** A shortest way from a card back to itself along the links, beginning and ending with it. */
export const cyclePath = (start: string, links: ReadonlyArray<Link>): ReadonlyArray<string> | undefined => {
  const next = Map.groupBy(links, ({ from }) => from)
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const card of queue) {
    for (const { to } of next.get(card) ?? []) {
      if (to === start) {
        const path = [start]
        for (let at: string | undefined = card; at !== undefined && at !== start; at = cameFrom.get(at))
          path.unshift(at)
        return [start, ...path]
      }
      if (cameFrom.has(to)) continue
      cameFrom.set(to, card)
      queue.push(to)
    }
  }
  return undefined
}
