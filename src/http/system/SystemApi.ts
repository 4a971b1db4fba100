import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UpdateNotice } from "../../services/version/UpdateCheck.ts"

/** Health, version and what a client needs to connect (SPEC "Health, version, server info, connect defaults"). */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", {
      success: Schema.Struct({
        status: Schema.Literal("ok"),
        uptime: Schema.Finite,
        gateway: Schema.Literals(["ok", "unreachable"]),
        /** Only after a start that found the board's file damaged (D40). */
        database: Schema.optionalKey(Schema.String)
      })
    }).annotate(OpenApi.Summary, "Whether the console is up, for how many seconds, and whether it reaches the gateway"),
    HttpApiEndpoint.get("version", "/api/version", {
      success: Schema.Struct({ version: Schema.String, name: Schema.String })
    }).annotate(OpenApi.Summary, "Name and semantic version of the console"),
    HttpApiEndpoint.get("versionCheck", "/api/version/check", { success: UpdateNotice }).annotate(
      OpenApi.Summary,
      "Whether a newer version is published at the code host this console came from; up to 6 hours old"
    ),
    HttpApiEndpoint.get("serverInfo", "/api/server-info", {
      success: Schema.Struct({
        serverTime: Schema.Finite,
        gatewayStartedAt: Schema.NullOr(Schema.Finite),
        timezone: Schema.String,
        agentName: Schema.String
      })
    }).annotate(OpenApi.Summary, "Clock, time zone and agent name of the server; times in epoch milliseconds"),
    HttpApiEndpoint.get("connectDefaults", "/api/connect-defaults", {
      success: Schema.Struct({
        wsUrl: Schema.String,
        token: Schema.Null,
        agentName: Schema.String,
        authEnabled: Schema.Boolean,
        serverSideAuth: Schema.Boolean
      })
    }).annotate(OpenApi.Summary, "Where the gateway is, and whether the console signs in there for this client")
  )
  .annotate(OpenApi.Title, "System") {}
