import type { InboxItem } from "../../contract/answers/InboxAnswers.ts"
import type { PushSubscription } from "../../contract/answers/PushAnswers.ts"
import { isUrgent } from "./pushMessage.ts"
import { quietUntil } from "./quietHours.ts"

/** How long what isn't urgent waits: somebody may see it in the console, or it may end by itself. */
const DELAY_MS = 10_000

/** For how long something a person has seen isn't news to them. */
const SEEN_MS = 30_000

/** What's known of an item when its delivery to a device is planned; times in epoch milliseconds. */
export interface DeliveryFacts {
  readonly item: Pick<InboxItem, "kind" | "expiresAt">
  readonly device: Pick<PushSubscription, "kinds" | "quiet">
  readonly heardAt: number
  readonly now: number
  /** When a visible page last showed it. */
  readonly seenAt?: number | undefined
}

/** When an item is sent to a device (epoch milliseconds, never before `now`); `undefined` if it isn't. */
export const deliveryTime = ({ item, device, heardAt, now, seenAt }: DeliveryFacts): number | undefined => {
  const { kind, expiresAt } = item
  if (!device.kinds.includes(kind)) return undefined
  if (expiresAt !== undefined && expiresAt <= now) return undefined
  if (seenAt !== undefined && seenAt > Math.min(heardAt, now - SEEN_MS)) return undefined
  // A clock that was set back holds nothing up.
  const at = heardAt > now || isUrgent(kind) ? now : Math.max(now, heardAt + DELAY_MS)
  const quietEnd = quietUntil(at, device.quiet)
  if (quietEnd === undefined) return at
  // What would be over by the end of the quiet hours can't wait for it.
  return expiresAt !== undefined && expiresAt <= quietEnd ? at : quietEnd
}

/**
 * When the next try is due (epoch milliseconds, never before `now`), given when the last one was and how long it waits.
 * A clock that was set back holds nothing up.
 */
export const retryTime = (
  { triedAt, pauseMs }: { readonly triedAt: number; readonly pauseMs: number },
  now: number
): number => (triedAt > now ? now : Math.max(now, triedAt + pauseMs))
