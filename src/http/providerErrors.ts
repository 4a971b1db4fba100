import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { ProviderBusy, ProviderFailed } from "../services/vendors/vendorErrors.ts"
import { errorBody } from "./errorBody.ts"

/** 500 for a provider of speech that could not do its work, under the code of the route. */
export const providerFailedError = <const Code extends string>(code: Code) =>
  errorBody(ProviderFailed, { code, status: 500, details: (failure) => failure.message })

/** 429 for a provider that is asked too much. */
export const ProviderBusyError = errorBody(ProviderBusy, {
  code: "rate_limited",
  status: 429,
  details: (failure) => failure.message
})

/** Puts Retry-After on the answer when a provider is busy. */
export const tellWhenToRetry = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.tapError(answer, (error) =>
    error instanceof ProviderBusy
      ? HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(error.retryAfter)))
        )
      : Effect.void
  )
