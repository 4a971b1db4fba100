import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Mark, mark } from "../../RouteMark.ts"

const refusal = <const Text extends string>(text: Text, status: number) =>
  Schema.Struct({ error: Schema.Literal(text) }).pipe(HttpApiSchema.status(status))

const Invalid = Schema.Struct({ error: Schema.Literal("validation_error"), details: Schema.optionalKey(Schema.String) })
  .pipe(HttpApiSchema.status(400))
  .annotate({ identifier: "validation_error_400" })

const Done = Schema.Struct({ ok: Schema.Literal(true) })

/** `details` where the sign-out couldn't be saved, so that it only lasts until a restart. */
const SignedOut = Schema.Struct({ ok: Schema.Literal(true), details: Schema.optionalKey(Schema.String) })

/** Password authentication with a session cookie. */
export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.get("status", "/api/auth/status", {
      success: Schema.Struct({ authEnabled: Schema.Boolean, authenticated: Schema.Boolean })
    })
      .annotate(OpenApi.Summary, "Get whether sign-in is on and whether this client is signed in")
      .annotate(Mark, mark({ access: "open", rate: undefined })),
    HttpApiEndpoint.post("login", "/api/auth/login", {
      payload: [Schema.Struct({ password: Schema.optionalKey(Schema.String) }), HttpApiSchema.NoContent],
      success: Done,
      error: [Invalid, refusal("Password required", 400), refusal("Invalid password", 401)]
    })
      .annotate(OpenApi.Summary, "Sign in: sets the session cookie")
      .annotate(Mark, mark({ access: "open", bodyLimit: ByteSize.kibibytes(64) })),
    HttpApiEndpoint.post("logout", "/api/auth/logout", { success: SignedOut })
      .annotate(OpenApi.Summary, "Sign out: ends the session for good and clears its cookie")
      .annotate(Mark, mark({ access: "open", rate: undefined }))
  )
  .annotate(OpenApi.Title, "Authentication") {}
