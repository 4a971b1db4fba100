import { Schema } from "effect"

/**
 * A hosted or local provider of speech could not do its work; `message` says what happened and what to do,
 * `retryAfter` in whole seconds when the vendor wants to be asked again.
 */
export class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  message: Schema.String,
  retryAfter: Schema.optionalKey(Schema.Int)
}) {}

/** The console itself has too much to do; `retryAfter` in whole seconds. */
export class ProviderBusy extends Schema.TaggedError<ProviderBusy>()("ProviderBusy", {
  message: Schema.String,
  retryAfter: Schema.Int
}) {}

export type ProviderError = ProviderFailed | ProviderBusy
