import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { ProviderBusy, ProviderFailed } from "../services/voice/vendors/vendorErrors.ts"
import { errorBody } from "./errorBody.ts"

/** 500 for a speech provider that failed, with the route's error code. */
export const providerFailedError = <const Code extends string>(code: Code) =>
  errorBody(ProviderFailed, { code, status: 500, details: (failure) => failure })

/** 429 when the console itself is asked too much; a vendor that is busy is a failure of that vendor. */
export const ProviderBusyError = errorBody(ProviderBusy, {
  code: "rate_limited",
  status: 429,
  details: (failure) => failure
})

/** Puts Retry-After on the answer where it is known when to ask again. */
export const tellWhenToRetry = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.tapError(answer, (error) =>
    (error instanceof ProviderBusy || error instanceof ProviderFailed) && error.retryAfter !== undefined
      ? HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(error.retryAfter)))
        )
      : Effect.void
  )
