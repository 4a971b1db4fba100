import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const body = <const Code extends string>(code: Code, status: number) =>
  Schema.Struct({ error: Schema.Literal(code), details: Schema.optionalKey(Schema.String) })
    .pipe(HttpApiSchema.status(status))
    .annotate({ identifier: `${code}_${status}` })

/** Bodies of the one error shape on `/api/*` (D10); the status stands with the schema. */
export const ValidationErrorBody = body("validation_error", 400)
export const NotFoundBody = body("not_found", 404)
export const GatewayFailureBody = body("gateway_failure", 502)
