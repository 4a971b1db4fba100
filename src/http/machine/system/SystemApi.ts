import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  ConnectDefaults,
  Health,
  NotReady,
  Ready,
  ServerInfo,
  UpdateNotice,
  Version
} from "../../../contract/schema/machine.ts"
import { Right } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"

/** Health, version, and what a client needs to connect. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", {
      success: Health
    })
      .annotate(
        OpenApi.Summary,
        "Get the console's health, uptime in seconds and whether it's connected to the gateway"
      )
      .annotate(Mark, mark({ access: "open", rate: undefined })),
    HttpApiEndpoint.get("alive", "/healthz", { success: Schema.Struct({ status: Schema.Literal("ok") }) })
      .annotate(OpenApi.Summary, "Answer as long as the process does")
      .annotate(Mark, mark({ access: "open", rate: undefined })),
    HttpApiEndpoint.get("ready", "/readyz", { success: [Ready, NotReady.pipe(HttpApiSchema.status(503))] })
      .annotate(
        OpenApi.Summary,
        "Check whether the console can do its work: its own database takes a write, the board can be read, and the gateway is connected; 503 if something required can't"
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
      success: ServerInfo
    })
      .annotate(Right, "read")
      .annotate(OpenApi.Summary, "Get the server's clock, time zone and agent name; times in epoch milliseconds"),
    HttpApiEndpoint.get("connectDefaults", "/api/connect-defaults", {
      success: ConnectDefaults
    }).annotate(
      OpenApi.Summary,
      "Get the gateway's address and whether the console authenticates there for this client"
    )
  )
  .annotate(OpenApi.Title, "System") {}
