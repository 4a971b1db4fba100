import type { InboxItem } from "../core/inbox/inboxTypes.ts"

/** What every card of an item is given. */
export interface ItemCardProps {
  readonly item: InboxItem
  /** Shown outside what it is about, so it links there. */
  readonly isLinked?: boolean
}
