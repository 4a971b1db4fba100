import { pathSegment, type Route } from "../base/routes.ts"
import type { InboxKind } from "../core/inbox/inboxTypes.ts"
import { KINDS } from "../core/inbox/kindText.ts"

/** What of the inbox is looked at. */
export interface InboxPlace {
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
  return query === "" ? "/inbox" : `/inbox?${query}`
}

/** The address of one item. */
export const itemPath = (id: string): string => `/inbox/${pathSegment(id)}`
