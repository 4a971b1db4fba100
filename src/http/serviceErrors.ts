import { Context, Effect, Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { failure } from "../contract/failures.ts"
import { PRIMARY } from "../contract/qualifiedKey.ts"
import { GatewayError } from "../services/gateway/client/GatewayError.ts"
import { type GatewayServices, Gateways } from "../services/gateway/registry/Gateways.ts"
import { UnknownGateway } from "../services/gateway/registry/gatewayEntry.ts"
import { StorageFailure } from "../services/platform/storage/fileErrors.ts"
import { ProviderBusy, ProviderFailed } from "../services/voice/vendors/vendorCall.ts"
import { errorBody } from "./errorBody.ts"

/** 502 for a failed gateway call, with what to do about it. */
export const GatewayFailure = errorBody(GatewayError, {
  code: "gateway_failure",
  status: 502,
  details: (error) => error
})

/** 500 for a file that can't be read or written, with what to check. */
export const StorageFailureError = errorBody(StorageFailure, {
  code: "storage_failure",
  status: 500,
  details: (failure) => failure
})

/** 500 for a speech provider that failed, with the route's error code. */
export const providerFailedError = <const Code extends string>(code: Code) =>
  errorBody(ProviderFailed, { code, status: 500, details: (failure) => failure })

/** 429 when the console's own limit is reached; a busy vendor is a failure of that vendor. */
export const ProviderBusyError = errorBody(ProviderBusy, {
  code: "rate_limited",
  status: 429,
  details: (failure) => failure
})

/** Adds Retry-After to the response if the delay is known. */
export const withRetryAfter = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.tapError(answer, (error) =>
    (error instanceof ProviderBusy || error instanceof ProviderFailed) && error.retryAfter !== undefined
      ? HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(error.retryAfter)))
        )
      : Effect.void
  )

/** 404 for a gateway that isn't there. */
export const UnknownGatewayError = errorBody(UnknownGateway, {
  code: "unknown_gateway",
  status: 404,
  details: () => failure("GATEWAY_GONE")
})

/** Which gateway a request is for; the primary one if it doesn't say. */
export const gatewayQuery = { gateway: Schema.optionalKey(Schema.String) }

/** Finds a service of the gateway that a request is for. */
export const gatewayService = Effect.map(
  Gateways,
  (gateways) =>
    <I extends GatewayServices, S>(service: Context.Key<I, S>, query: { readonly gateway?: string }) =>
      Effect.map(gateways.services(query.gateway ?? PRIMARY), (services) => Context.get(services, service))
)
