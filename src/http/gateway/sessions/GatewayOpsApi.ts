import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { done } from "../../../contract/schema/fields.ts"
import { ModelList, SessionChange, SessionInfo, SessionKey } from "../../../contract/schema/session.ts"
import { InvalidSessionChange } from "../../../services/gateway/sessions/sessionRules.ts"
import { errorBody } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { Right, rights } from "../../Right.ts"
import { GatewayFailure, gatewayQuery, UnknownGatewayError } from "../../serviceErrors.ts"

const Invalid = errorBody(InvalidSessionChange, {
  code: "validation_error",
  status: 400,
  details: (failure) => failure
})

/** Models, and a session's settings. */
export class GatewayOpsApi extends HttpApiGroup.make("gatewayOps")
  .add(
    HttpApiEndpoint.get("models", "/api/gateway/models", {
      query: gatewayQuery,
      success: ModelList,
      error: [...TRUST_ERRORS, UnknownGatewayError, GatewayFailure]
    }).annotate(
      OpenApi.Summary,
      "List the configured models, or all available ones if none are configured; cached for 5 minutes"
    ),
    HttpApiEndpoint.get("sessionInfo", "/api/gateway/session-info", {
      query: { ...gatewayQuery, sessionKey: Schema.optionalKey(SessionKey) },
      success: SessionInfo,
      error: [...TRUST_ERRORS, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Get a session's model and thinking level; the main session's by default"),
    HttpApiEndpoint.post("sessionPatch", "/api/gateway/session-patch", {
      query: gatewayQuery,
      payload: SessionChange,
      success: Schema.Struct({ ...done, ...SessionInfo.fields }),
      error: [...TRUST_ERRORS, Invalid, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Change a session's model or thinking level; null restores the default")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Gateway operations") {}
