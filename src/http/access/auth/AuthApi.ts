import { ByteSize, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AuthStatus, SignedOut } from "../../../contract/schema/access.ts"
import { Done } from "../../../contract/schema/fields.ts"
import { Mark, mark } from "../../RouteMark.ts"

const refusal = <const Text extends string>(text: Text, status: number) =>
  Schema.Struct({ error: Schema.Literal(text) }).pipe(HttpApiSchema.status(status))

const Invalid = Schema.Struct({ error: Schema.Literal("validation_error"), details: Schema.optionalKey(Schema.String) })
  .pipe(HttpApiSchema.status(400))
  .annotate({ identifier: "validation_error_400" })

/** Password authentication with a session cookie. */
export class AuthApi extends HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.get("status", "/api/auth/status", {
      success: AuthStatus
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
