import { Schema } from "effect"

/** A hosted or local provider of speech could not do its work; `message` says what happened and what to do. */
export class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  message: Schema.String
}) {}

/** Too much is asked at once, by the vendor's word or by ours; `retryAfter` in whole seconds. */
export class ProviderBusy extends Schema.TaggedError<ProviderBusy>()("ProviderBusy", {
  message: Schema.String,
  retryAfter: Schema.Int
}) {}

export type ProviderError = ProviderFailed | ProviderBusy
