import type { InboxItem } from "../../contract/schema/inbox.ts"
import type { PushSubscription } from "../../contract/schema/push.ts"
import { isUrgent } from "./pushMessage.ts"
import { quietUntil } from "./quietHours.ts"

/** The delay of items that aren't urgent, because somebody may see them in the console or they may end. */
const DELAY_MS = 10_000

/** How long a seen item needs no notification. */
const SEEN_MS = 30_000

/** The input for planning a delivery; times in epoch milliseconds. */
export interface DeliveryFacts {
  readonly item: Pick<InboxItem, "kind" | "expiresAt">
  readonly device: Pick<PushSubscription, "kinds" | "quiet">
  readonly heardAt: number
  readonly now: number
  /** When a visible page last showed it. */
  readonly seenAt?: number | undefined
}

/** Returns when to send an item to a device (epoch milliseconds, never before `now`); `undefined` means never. */
export const deliveryTime = ({ item, device, heardAt, now, seenAt }: DeliveryFacts): number | undefined => {
  const { kind, expiresAt } = item
  if (!device.kinds.includes(kind)) return undefined
  if (expiresAt !== undefined && expiresAt <= now) return undefined
  if (seenAt !== undefined && seenAt > Math.min(heardAt, now - SEEN_MS)) return undefined
  // A clock that was set back must not delay the delivery.
  const at = heardAt > now || isUrgent(kind) ? now : Math.max(now, heardAt + DELAY_MS)
  const quietEnd = quietUntil(at, device.quiet)
  if (quietEnd === undefined) return at
  // An item that expires within the quiet hours can't wait for their end.
  return expiresAt !== undefined && expiresAt <= quietEnd ? at : quietEnd
}

/**
 * Returns when the next attempt is due (epoch milliseconds, never before `now`), from the time of the last one and the
 * pause. A clock that was set back must not delay it.
 */
export const retryTime = (
  { triedAt, pauseMs }: { readonly triedAt: number; readonly pauseMs: number },
  now: number
): number => (triedAt > now ? now : Math.max(now, triedAt + pauseMs))
