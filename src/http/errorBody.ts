import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** Error bodies are only encoded: a client decodes the body, not the service's error. */
export const onlyWritten = SchemaGetter.forbidden<never, unknown>(() => "error bodies are only written")

/** Encodes a service's error as `{error, details?}` with its HTTP status. */
export const errorBody = <E extends Schema.Top, const Code extends string>(
  error: E,
  body: {
    readonly code: Code
    readonly status: number
    /** A sentence for people, never the cause. */
    readonly details?: (error: E["Type"]) => string | undefined
  }
) =>
  Schema.toType(error).pipe(
    Schema.encodeTo(Schema.Struct({ error: Schema.Literal(body.code), details: Schema.optionalKey(Schema.String) }), {
      decode: onlyWritten,
      encode: SchemaGetter.transform((value: E["Type"]) => {
        const details = body.details?.(value)
        return details === undefined ? { error: body.code } : { error: body.code, details }
      })
    }),
    HttpApiSchema.status(body.status)
  )
