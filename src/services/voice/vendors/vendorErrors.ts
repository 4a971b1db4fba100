import { Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"

/**
 * A hosted or local provider of speech failed; `message` gives the reason and the remedy,
 * `retryAfter` the vendor's retry delay in whole seconds.
 */
export class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  ...failureFields,
  retryAfter: Schema.optionalKey(Schema.Int)
}) {}

/** The console is overloaded; `retryAfter` in whole seconds. */
export class ProviderBusy extends Schema.TaggedError<ProviderBusy>()("ProviderBusy", {
  ...failureFields,
  retryAfter: Schema.Int
}) {}

export type ProviderError = ProviderFailed | ProviderBusy
