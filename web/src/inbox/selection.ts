import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { keyOf } from "../core/inbox/kindText.ts"

/** An action, and how many of the items offer it. */
export interface Offer {
  readonly id: string
  readonly label: string
  readonly count: number
}

/** The actions that need nothing besides, in the order in which the items offer them. */
export const offeredBy = (items: ReadonlyArray<InboxItem>): ReadonlyArray<Offer> => {
  const offers = new Map<string, Offer>()
  for (const { actions } of items)
    for (const { id, label, needs } of actions)
      if (needs === null) offers.set(id, { id, label, count: (offers.get(id)?.count ?? 0) + 1 })
  return [...offers.values()]
}

/** For each action of a key, the items that offer it. */
export const groupsOfKey = (
  items: ReadonlyArray<InboxItem>,
  key: string
): ReadonlyMap<string, ReadonlyArray<InboxItem>> =>
  new Map(
    offeredBy(items)
      .filter(({ id }) => keyOf(id) === key)
      .map(({ id }) => [id, items.filter(({ actions }) => actions.some((action) => action.id === id))] as const)
  )
