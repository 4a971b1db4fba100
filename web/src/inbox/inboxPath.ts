import { pathSegment, type Route } from "../base/routes.ts"
import { below } from "../core/common/basePath.ts"
import type { InboxItem, InboxKind } from "../core/inbox/inboxTypes.ts"
import { KINDS, keyOf } from "../core/inbox/kindText.ts"

/** What of the inbox is looked at. */
interface InboxPlace {
  /** One item alone; null for a list. */
  readonly item: string | null
  readonly isDecided: boolean
  /** Only items of this kind; null for all. */
  readonly kind: InboxKind | null
}

/** The place an address names. */
export const inboxPlace = ({ segments, query }: Pick<Route, "segments" | "query">): InboxPlace => ({
  item: segments[0] ?? null,
  isDecided: query.get("show") === "decided",
  kind: KINDS.find((kind) => kind === query.get("kind")) ?? null
})

/** The address of a list. */
export const listPath = ({ isDecided, kind }: Omit<InboxPlace, "item">): string => {
  const query = new URLSearchParams({
    ...(isDecided ? { show: "decided" } : {}),
    ...(kind === null ? {} : { kind })
  }).toString()
  return below(query === "" ? "/inbox" : `/inbox?${query}`)
}

/** The address of one item. */
export const itemPath = (id: string): string => below(`/inbox/${pathSegment(id)}`)

/** An action, and how many of the items offer it. */
interface Offer {
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
