import type { QRL } from "@builder.io/qwik"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"

/** What every card of an item is given. */
export interface ItemCardProps {
  readonly item: InboxItem
  /** Shown outside what it is about, so it links there. */
  readonly isLinked?: boolean
  /** Takes no decision for now: it has just come under the finger that decided another one. */
  readonly isHeld?: boolean
  /** After it was decided here. */
  readonly onDecided$?: QRL<() => unknown>
}
