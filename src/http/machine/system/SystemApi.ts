import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { UpdateNotice } from "../../../services/machine/update/UpdateCheck.ts"
import { Mark, mark } from "../../RouteMark.ts"

/** The console's name and version. */
export const Version = Schema.Struct({ version: Schema.String, name: Schema.String })

const ReadyCheck = Schema.Struct({
  name: Schema.Literals(["store", "board", "gateway"]),
  ok: Schema.Boolean,
  /** Whether the console is unavailable without it. */
  required: Schema.Boolean
})

const Ready = Schema.Struct({ status: Schema.Literal("ok"), checks: Schema.Array(ReadyCheck) })
const NotReady = Schema.Struct({ status: Schema.Literal("unavailable"), checks: Schema.Array(ReadyCheck) }).pipe(
  HttpApiSchema.status(503)
)

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
    HttpApiEndpoint.get("alive", "/healthz", { success: Schema.Struct({ status: Schema.Literal("ok") }) })
      .annotate(OpenApi.Summary, "Answer as long as the process does")
      .annotate(Mark, mark({ access: "open", rate: undefined })),
    HttpApiEndpoint.get("ready", "/readyz", { success: [Ready, NotReady] })
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
