import type { Why } from "../failure.ts"
import type { InboxKind } from "../inbox.ts"

/** When nothing but what can't wait is sent; `to` before `from` spans midnight. */
export interface QuietHours {
  /** `HH:MM`. */
  readonly from: string
  /** `HH:MM`. */
  readonly to: string
  /** IANA name of a time zone. */
  readonly zone: string
}

/** A browser that gets notifications. Its keys never come back. */
export interface PushSubscription {
  readonly id: string
  readonly label: string
  readonly kinds: ReadonlyArray<InboxKind>
  readonly quiet?: QuietHours
  /** Notifications only say what kind of thing waits. */
  readonly private: boolean
  /** "Allow" in a notification allows at once instead of opening the page. */
  readonly directAllow: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds. */
  readonly lastSentAt?: number
  /** A sentence; absent when the last delivery worked. */
  readonly lastError?: string
  /** Of `lastError`. */
  readonly why?: Why
}

/** `GET /api/push`. */
export interface PushOverview {
  /** The console's VAPID key, base64url, for `pushManager.subscribe`. */
  readonly publicKey: string
  readonly subscriptions: ReadonlyArray<PushSubscription>
  /** Why no device can be added, in a sentence: the demo sends nothing to other machines. */
  readonly off?: string
  readonly why?: Why
}

/** What can be done from a notification. */
export interface PushAction {
  /** The action's id, as in the inbox. */
  readonly id: string
  readonly label: string
  /** The button opens the page, where it's decided; otherwise it acts at once. */
  readonly opens?: boolean
}

/** What a push message carries, as JSON. Without a title the notification of this id is taken away. */
export interface PushPayload {
  /** The inbox item's. */
  readonly id: string
  readonly kind: InboxKind | "test"
  readonly title?: string
  readonly body?: string
  /** Where a click leads, a path of the console. */
  readonly url?: string
  readonly actions: ReadonlyArray<PushAction>
}

/** Notifications to people's devices. */
export interface PushAnswers {
  readonly "GET /api/push": PushOverview
  readonly "POST /api/push/subscriptions": PushSubscription
  readonly "PATCH /api/push/subscriptions/:id": PushSubscription
  readonly "DELETE /api/push/subscriptions/:id": { readonly ok: true }
  readonly "POST /api/push/subscriptions/:id/test": { readonly ok: true }
  readonly "POST /api/inbox/seen": { readonly ok: true }
}
