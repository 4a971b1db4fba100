import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Model } from "../../services/models/modelSchemas.ts"
import { SessionChange, SessionInfo, SessionKey } from "../../services/sessions/sessionSchemas.ts"
import { GatewayFailure } from "../gatewayErrors.ts"

/** Models and the settings of a session (SPEC "Gateway operations"). */
export class GatewayOpsApi extends HttpApiGroup.make("gatewayOps")
  .add(
    HttpApiEndpoint.get("models", "/api/gateway/models", {
      success: Schema.Struct({ models: Schema.Array(Model) }),
      error: GatewayFailure
    }).annotate(OpenApi.Summary, "Models that are configured, or else all that can be used; up to 5 minutes old"),
    HttpApiEndpoint.get("sessionInfo", "/api/gateway/session-info", {
      query: { sessionKey: Schema.optionalKey(SessionKey) },
      success: SessionInfo,
      error: GatewayFailure
    }).annotate(OpenApi.Summary, "Model and thinking level of a session; of the main one when none is named"),
    HttpApiEndpoint.post("sessionPatch", "/api/gateway/session-patch", {
      payload: SessionChange,
      success: Schema.Struct({ ok: Schema.Literal(true), ...SessionInfo.fields }),
      error: GatewayFailure
    }).annotate(OpenApi.Summary, "Change model or thinking level of a session; null goes back to the default")
  )
  .annotate(OpenApi.Title, "Gateway operations") {}
