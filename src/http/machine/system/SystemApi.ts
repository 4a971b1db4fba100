import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UpdateNotice } from "../../../services/machine/update/UpdateCheck.ts"
import { Mark, mark } from "../../RouteMark.ts"

/** The console's name and version. */
export const Version = Schema.Struct({ version: Schema.String, name: Schema.String })

/** Health, version, and what a client needs to connect. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", {
      success: Schema.Struct({
        status: Schema.Literal("ok"),
        uptime: Schema.Finite,
        gateway: Schema.Literals(["ok", "unreachable"]),
        /** Only if the board's file was damaged at start-up. */
        database: Schema.optionalKey(Schema.String),
        /** Only of a board in a database that several consoles share: `ok`, or why it can't be used for now. */
        board: Schema.optionalKey(Schema.String)
      })
    })
      .annotate(
        OpenApi.Summary,
        "Get the console's health, uptime in seconds and whether it's connected to the gateway"
      )
      .annotate(Mark, mark({ access: "open", rate: undefined })),
    HttpApiEndpoint.get("version", "/api/version", {
      success: Version
    })
      .annotate(OpenApi.Summary, "Get the console's name and semantic version")
      .annotate(Mark, mark({ access: "open", rate: undefined })),
    HttpApiEndpoint.get("versionCheck", "/api/version/check", { success: UpdateNotice }).annotate(
      OpenApi.Summary,
      "Check whether a newer version has been published on the code host; cached for 6 hours"
    ),
    HttpApiEndpoint.get("serverInfo", "/api/server-info", {
      success: Schema.Struct({
        serverTime: Schema.Finite,
        gatewayStartedAt: Schema.NullOr(Schema.Finite),
        timezone: Schema.String,
        agentName: Schema.String
      })
    }).annotate(OpenApi.Summary, "Get the server's clock, time zone and agent name; times in epoch milliseconds"),
    HttpApiEndpoint.get("connectDefaults", "/api/connect-defaults", {
      success: Schema.Struct({
        wsUrl: Schema.String,
        token: Schema.Null,
        agentName: Schema.String,
        authEnabled: Schema.Boolean,
        serverSideAuth: Schema.Boolean,
        gateways: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })))
      })
    }).annotate(
      OpenApi.Summary,
      "Get the gateway's address and whether the console authenticates there for this client"
    )
  )
  .annotate(OpenApi.Title, "System") {}
