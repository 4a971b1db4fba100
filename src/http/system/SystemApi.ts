import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** Health, version and what a client needs to connect (SPEC "Health, version, server info, connect defaults"). */
export class SystemApi extends HttpApiGroup.make("system").add(
  HttpApiEndpoint.get("version", "/api/version", {
    success: Schema.Struct({ version: Schema.String, name: Schema.String })
  })
) {}
