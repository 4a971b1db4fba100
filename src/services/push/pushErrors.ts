import { Schema } from "effect"
import { failureFields } from "../../contract/schema/failure.ts"

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
