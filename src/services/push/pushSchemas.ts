import { Schema } from "effect"
import { failure } from "../../contract/failures.ts"
import { INBOX_KINDS } from "../../contract/inbox.ts"
import { failureFields, Why } from "../../contract/schema/failure.ts"
import { body, clearable, filledText, flag, list, maybe, oneOf, required } from "../../contract/schema/fields.ts"
import { isZone } from "./deliveryRules.ts"

const Kinds = list(oneOf(INBOX_KINDS), 0, INBOX_KINDS.length)

const WallTime = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/, failure("MUST_BE_A_TIME"))
)

const Zone = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter((name: string) => name.length <= 64 && isZone(name), failure("MUST_BE_A_TIME_ZONE"))
)

/** The hours in which only items that can't wait are sent. */
export const Quiet = body({ from: required(WallTime), to: required(WallTime), zone: required(Zone) }).check(
  Schema.makeFilter(
    ({ from, to }: { readonly from: string; readonly to: string }) => from !== to,
    failure("MUST_NOT_BE_EMPTY_SPAN")
  )
)

/** The choices for a device. */
const choices = {
  label: maybe(filledText(60)),
  kinds: maybe(Kinds),
  quiet: clearable(Quiet, { message: "must be a JSON object or null" }),
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

/** A device in responses: without its endpoint and keys. */
export const PushDevice = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  kinds: Kinds,
  quiet: Schema.optionalKey(Quiet),
  private: Schema.Boolean,
  directAllow: Schema.Boolean,
  createdAt: Schema.Finite,
  lastSentAt: Schema.optionalKey(Schema.Finite),
  lastError: Schema.optionalKey(Schema.String),
  /** Of `lastError`. */
  why: Schema.optionalKey(Why)
}).annotate({ identifier: "PushSubscription" })
export type PushDevice = typeof PushDevice.Type

/** No device has this id. */
export class PushDeviceNotFound extends Schema.TaggedError<PushDeviceNotFound>()("PushDeviceNotFound", {}) {}

/** The endpoint or keys of a subscription aren't any of a known push service. */
export class InvalidPushSubscription extends Schema.TaggedError<InvalidPushSubscription>()(
  "InvalidPushSubscription",
  failureFields
) {}

/** The limit of devices is reached. */
export class TooManyPushDevices extends Schema.TaggedError<TooManyPushDevices>()("TooManyPushDevices", {}) {}

/** A test notification wasn't delivered; `message` says why. */
export class PushFailed extends Schema.TaggedError<PushFailed>()("PushFailed", failureFields) {}
