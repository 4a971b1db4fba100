import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ValidationErrorBody } from "../ApiError.ts"

const refusal = <const Text extends string>(text: Text, status: number) =>
  Schema.Struct({ error: Schema.Literal(text) }).pipe(HttpApiSchema.status(status))

const Done = Schema.Struct({ ok: Schema.Literal(true) })

/** Password authentication with a session cookie (SPEC "Authentication routes"). */
export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.get("status", "/api/auth/status", {
      success: Schema.Struct({ authEnabled: Schema.Boolean, authenticated: Schema.Boolean })
    }).annotate(OpenApi.Summary, "Whether a password is asked for, and whether this client has given it"),
    HttpApiEndpoint.post("login", "/api/auth/login", {
      payload: [Schema.Struct({ password: Schema.optionalKey(Schema.String) }), HttpApiSchema.NoContent],
      success: Done,
      error: [ValidationErrorBody, refusal("Password required", 400), refusal("Invalid password", 401)]
    }).annotate(OpenApi.Summary, "Start a session: sets the session cookie"),
    HttpApiEndpoint.post("logout", "/api/auth/logout", { success: Done }).annotate(
      OpenApi.Summary,
      "End the session for good and clear its cookie"
    )
  )
  .annotate(OpenApi.Title, "Authentication") {}
