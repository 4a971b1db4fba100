import type { InboxKind } from "../../../../src/contract/inbox.ts"
import type { PushOverview as Overview, PushSubscription, QuietHours } from "../../../../src/contract/schema/push.ts"
import type { Shown } from "../common/decode.ts"
import { failureText } from "../link/failureText.ts"

/** A device as shown on screen. */
export type PushDevice = Shown<Omit<PushSubscription, "why">>

/** What can be chosen for a device; null clears the quiet hours. */
export interface PushChoices {
  readonly label?: string
  readonly kinds?: ReadonlyArray<InboxKind>
  readonly quiet?: QuietHours | null
  readonly private?: boolean
  readonly directAllow?: boolean
}

/** Reads a device. */
export const readDevice = (device: PushSubscription): PushDevice => ({
  quiet: null,
  lastSentAt: null,
  ...device,
  lastError: failureText(device.lastError ?? null, device.why)
})

/** The console's key, and the devices it knows. */
export interface PushOverview {
  readonly publicKey: string
  readonly devices: ReadonlyArray<PushDevice>
  /** Why no device can be added; null where one can. */
  readonly off: string | null
}

/** Reads `GET /api/push`. */
export const readOverview = ({ off, publicKey, subscriptions, why }: Overview): PushOverview => ({
  publicKey,
  devices: subscriptions.map(readDevice),
  off: failureText(off ?? null, why)
})
