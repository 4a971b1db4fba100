import { DateTime, Effect, Option, Schema } from "effect"
import type { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import { isRedirect } from "../../platform/outgoing/OutgoingHttp.ts"

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

/** A vendor, in the words of errors. */
export interface Vendor {
  /** The product's name; a custom address may be a compatible server. */
  readonly name: string
}

export const VENDOR_A: Vendor = { name: "OpenAI" }

export const VENDOR_B: Vendor = { name: "Replicate" }

/** The file of keys and addresses. Errors name it and not its variables, which only its editor needs. */
const ENV_FILE = "ENV_FILE"

/** How long a vendor may take to start its response, and between two chunks of it. */
export const PATIENCE = "30 seconds"

const DEFAULT_WAIT_S = 10
const LONGEST_WAIT_S = 3600

/** Parses a Retry-After header, seconds or a date (RFC 9110 §10.2.3), into seconds. */
export const retryAfterSeconds = (header: string | undefined, now: number): number => {
  const text = header?.trim() ?? ""
  const date = /^\d+$/.test(text) ? Option.none() : DateTime.make(text)
  const seconds = Option.match(date, {
    onNone: () => (text === "" ? Number.NaN : Number(text)),
    onSome: (time) => Math.ceil((DateTime.toEpochMillis(time) - now) / 1000)
  })
  return Number.isFinite(seconds) ? Math.min(Math.max(1, seconds), LONGEST_WAIT_S) : DEFAULT_WAIT_S
}

/** The vendor stopped responding. */
export const tooSlow = ({ name }: Vendor) => new ProviderFailed(failure("VOICE_TIMED_OUT", { name, span: PATIENCE }))

/** The connection broke or was never made. */
export const notReached = ({ name }: Vendor) =>
  new ProviderFailed(failure("VOICE_UNREACHABLE", { name, file: ENV_FILE }))

/** The vendor returned an unexpected response. */
export const notUnderstood = ({ name }: Vendor) =>
  new ProviderFailed(failure("VOICE_UNEXPECTED", { name, file: ENV_FILE }))

/** No key is configured. */
export const withoutKey = ({ name }: Vendor) =>
  new ProviderFailed(failure("VOICE_KEY_MISSING", { name, file: ENV_FILE }))

const refusal = (vendor: Vendor, response: HttpClientResponse.HttpClientResponse, now: number): ProviderFailed => {
  const { name } = vendor
  if (isRedirect(response.status)) {
    return new ProviderFailed(failure("VOICE_REDIRECTED", { name, file: ENV_FILE }))
  }
  switch (response.status) {
    case 401:
    case 403:
      return new ProviderFailed(failure("VOICE_KEY_REJECTED", { name, file: ENV_FILE }))
    case 402:
      return new ProviderFailed(failure("VOICE_PAYMENT", { name }))
    case 429: {
      const retryAfter = retryAfterSeconds(response.headers["retry-after"], now)
      return new ProviderFailed({
        ...failure("VOICE_RATE_LIMITED", { name, seconds: retryAfter }),
        retryAfter
      })
    }
    default:
      return new ProviderFailed(
        failure(response.status >= 500 ? "VOICE_FAILED" : "VOICE_REQUEST_REJECTED", { name, status: response.status })
      )
  }
}

/**
 * Sends a request; fails unless the vendor starts a successful response in time. The vendor's error text isn't read.
 * Responses with a status in `accepted` are returned to the caller.
 */
export const vendorCall = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  vendor: Vendor,
  request: HttpClientRequest.HttpClientRequest,
  accepted: ReadonlyArray<number> = []
): Effect.fn.Return<HttpClientResponse.HttpClientResponse, ProviderFailed> {
  const response = yield* client.execute(request).pipe(
    Effect.mapError((_: HttpClientError.HttpClientError) => notReached(vendor)),
    Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(tooSlow(vendor)) })
  )
  if ((response.status >= 200 && response.status < 300) || accepted.includes(response.status)) return response
  const now = yield* DateTime.now
  return yield* refusal(vendor, response, DateTime.toEpochMillis(now))
})
