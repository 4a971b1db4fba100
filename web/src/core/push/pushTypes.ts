import type { InboxKind } from "../../../../src/contract/inbox.ts"
import type { Shown } from "../../../../src/contract/looseFields.ts"
import type { PushOverview as Overview, PushSubscription, QuietHours } from "../../../../src/contract/schema/push.ts"
import { say } from "../language/say.ts"
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

/** Why this browser can't be notified. */
export type PushObstacle = "insecure" | "homeScreen" | "missing" | "denied"

/** What a browser gives for sending to it. */
export interface BrowserSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** What a browser is subscribed with; `publicKey` is null where it doesn't say. */
export interface CurrentSubscription extends BrowserSubscription {
  readonly publicKey: string | null
}

/** The browser's side of notifications; a promise may reject, and may never settle. */
export interface BrowserPush {
  /** Looks without asking anybody. */
  readonly obstacle: () => PushObstacle | null
  /** Asks the person; false if they don't want it. */
  readonly askPermission: () => Promise<boolean>
  /** Null without a subscription. */
  readonly current: () => Promise<CurrentSubscription | null>
  /** Subscribes with the console's key, in place of a subscription with another key. */
  readonly subscribe: (publicKey: string) => Promise<BrowserSubscription>
  readonly unsubscribe: () => Promise<void>
}

/** What to do about each obstacle. */
export const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  insecure: say("Browsers only allow notifications over HTTPS or at localhost. Open the console that way to use them."),
  homeScreen: say(
    "On an iPhone or iPad, the console has to be on the Home Screen: tap Share, then Add to Home Screen, and open it from there."
  ),
  missing: say(
    "This browser can't receive notifications while the console is closed. Use a current Chrome, Edge, Firefox or Safari."
  ),
  denied: say("This browser blocks notifications from this site. Allow them in the site settings, then come back.")
}

/** Where this browser keeps which of the console's devices it is, while it gets notifications. */
export const PUSH_DEVICE = "agent-console:push-device"

/** Where it keeps the address that the console was last told of; browsers change theirs. */
export const PUSH_ADDRESS = "agent-console:push-address"
