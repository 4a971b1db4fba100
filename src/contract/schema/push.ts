import { DateTime, Option, Schema } from "effect"
import { failure } from "../failures.ts"
import { INBOX_KINDS } from "../inbox.ts"
import { Why } from "./failure.ts"
import { body, clearable, filledText, flag, list, maybe, oneOf, required } from "./fields.ts"

const Kinds = list(oneOf(INBOX_KINDS), 0, INBOX_KINDS.length)

const WallTime = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/, failure("MUST_BE_A_TIME"))
)

/** Whether a time zone is known by this IANA name. */
export const isZone = (name: string): boolean => Option.isSome(DateTime.zoneMakeNamed(name))

/** A time zone by its IANA name. */
export const Zone = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter((name: string) => name.length <= 64 && isZone(name), failure("MUST_BE_A_TIME_ZONE"))
)

/** The hours in which only items that can't wait are sent; `to` before `from` spans midnight. */
export const QuietHours = body({ from: required(WallTime), to: required(WallTime), zone: required(Zone) }).check(
  Schema.makeFilter(
    ({ from, to }: { readonly from: string; readonly to: string }) => from !== to,
    failure("MUST_NOT_BE_EMPTY_SPAN")
  )
)
export type QuietHours = typeof QuietHours.Type

/** The choices for a device. */
const choices = {
  label: maybe(filledText(60)),
  kinds: maybe(Kinds),
  quiet: clearable(QuietHours, { message: "must be a JSON object or null" }),
  private: maybe(flag),
  directAllow: maybe(flag)
}

/** Changes to a device's choices; null clears the quiet hours. */
export const PushChoices = body(choices)
export type PushChoices = typeof PushChoices.Type

const Endpoint = filledText(2_000)

/** The result of a browser's `pushManager.subscribe`, with the person's choices. */
export const NewPushSubscription = body({
  endpoint: required(Endpoint),
  keys: required(body({ p256dh: required(filledText(200)), auth: required(filledText(100)) })),
  ...choices,
  replaces: maybe(Endpoint.annotate({ description: "The endpoint that this one replaces; its device stays the same" }))
})
export type NewPushSubscription = typeof NewPushSubscription.Type

/** Longer lists than any page shows. */
const MOST_IDS = 500

/** The items that a visible page shows. */
export const SeenIds = body({ ids: required(list(filledText(500), 0, MOST_IDS)) })

/** A device that gets notifications, without its endpoint and keys. */
export const PushSubscription = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  kinds: Kinds,
  quiet: Schema.optionalKey(QuietHours),
  /** Notifications only say what kind of thing waits. */
  private: Schema.Boolean,
  /** "Allow" in a notification allows at once instead of opening the page. */
  directAllow: Schema.Boolean,
  createdAt: Schema.Finite,
  lastSentAt: Schema.optionalKey(Schema.Finite),
  /** A sentence; absent when the last delivery worked. */
  lastError: Schema.optionalKey(Schema.String),
  /** Of `lastError`. */
  why: Schema.optionalKey(Why)
}).annotate({ identifier: "PushSubscription" })
export type PushSubscription = typeof PushSubscription.Type

/** `GET /api/push`. */
export const PushOverview = Schema.Struct({
  /** The console's VAPID key, base64url, for `pushManager.subscribe`. */
  publicKey: Schema.String,
  subscriptions: Schema.Array(PushSubscription),
  /** Why no device can be added, in a sentence: the demo sends nothing to other machines. */
  off: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why)
})
export type PushOverview = typeof PushOverview.Type
