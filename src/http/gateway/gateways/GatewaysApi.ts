import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { Done } from "../../../contract/schema/fields.ts"
import { GatewayEntry, GatewayList, ProbedGateway } from "../../../contract/schema/gateway.ts"
import {
  AddGateway,
  ChangeGateway,
  GatewayKnown,
  PrimaryGateway,
  TokenNeeded,
  TooManyGateways
} from "../../../services/gateway/registry/gatewayEntry.ts"
import { MOST_GATEWAYS } from "../../../services/gateway/registry/registryRules.ts"
import { errorBody } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { GatewayFailure, StorageFailureError, UnknownGatewayError } from "../../serviceErrors.ts"

const Known = errorBody(GatewayKnown, {
  code: "gateway_exists",
  status: 409,
  details: ({ name, what }) => failure(what === "id" ? "GATEWAY_ID_TAKEN" : "GATEWAY_ADDRESS_TAKEN", { name })
})
const Primary = errorBody(PrimaryGateway, {
  code: "primary_gateway",
  status: 409,
  details: () => failure("PRIMARY_GATEWAY")
})
const WithoutToken = errorBody(TokenNeeded, {
  code: "validation_error",
  status: 400,
  details: () => failure("GATEWAY_TOKEN_NEEDED", { field: "token" })
})
const TooMany = errorBody(TooManyGateways, {
  code: "too_many_gateways",
  status: 409,
  details: () => failure("TOO_MANY_GATEWAYS", { max: MOST_GATEWAYS })
})

const id = { id: Schema.String }

/** The gateways of the console. */
export class GatewaysApi extends HttpApiGroup.make("gateways")
  .add(
    HttpApiEndpoint.get("list", "/api/gateways", {
      success: GatewayList
    }).annotate(OpenApi.Summary, "List the gateways with their state, without their tokens"),
    HttpApiEndpoint.post("add", "/api/gateways", {
      payload: AddGateway,
      success: GatewayEntry.pipe(HttpApiSchema.status(201)),
      error: [Known, TooMany, StorageFailureError]
    }).annotate(OpenApi.Summary, "Add a gateway and connect to it"),
    HttpApiEndpoint.patch("change", "/api/gateways/:id", {
      params: id,
      payload: ChangeGateway,
      success: GatewayEntry,
      error: [UnknownGatewayError, Primary, WithoutToken, Known, StorageFailureError]
    }).annotate(
      OpenApi.Summary,
      "Change a gateway's name, address or token; another host or port needs the token, too"
    ),
    HttpApiEndpoint.delete("remove", "/api/gateways/:id", {
      params: id,
      success: Done,
      error: [UnknownGatewayError, Primary, StorageFailureError]
    }).annotate(OpenApi.Summary, "Disconnect from a gateway and forget it with its token"),
    HttpApiEndpoint.post("retry", "/api/gateways/:id/retry", {
      params: id,
      success: Done,
      error: [...TRUST_ERRORS, UnknownGatewayError]
    }).annotate(OpenApi.Summary, "Try to connect to a gateway now instead of at its next attempt"),
    HttpApiEndpoint.post("probe", "/api/gateways/:id/probe", {
      params: id,
      success: ProbedGateway,
      error: [...TRUST_ERRORS, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Measure how many milliseconds a small call to a gateway takes")
  )
  .annotate(Mark, mark({ access: "command" }))
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Gateways") {}
