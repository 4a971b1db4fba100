import { Context, Effect, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { type GatewayServices, Gateways } from "../../../services/gateway/registry/Gateways.ts"
import { UnknownGateway } from "../../../services/gateway/registry/gatewayErrors.ts"
import { errorBody } from "../../errorBody.ts"

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
