import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { Failure } from "../contract/failure.ts"
import { detailsFields } from "../contract/schema/failure.ts"

/** Error bodies are only encoded: a client decodes the body, not the service's error. */
export const onlyWritten = SchemaGetter.forbidden<never, unknown>(() => "error bodies are only written")

/** A failure as an error body has it. */
export const detailsOf = (failure: Failure | undefined) =>
  failure === undefined ? {} : { details: failure.message, ...(failure.why === undefined ? {} : { why: failure.why }) }

/** Encodes a service's error as `{error, details?, why?}` with its HTTP status. */
export const errorBody = <E extends Schema.Top, const Code extends string>(
  error: E,
  body: {
    readonly code: Code
    readonly status: number
    /** A sentence for people, never the cause. */
    readonly details?: (error: E["Type"]) => Failure | undefined
  }
) =>
  Schema.toType(error).pipe(
    Schema.encodeTo(Schema.Struct({ error: Schema.Literal(body.code), ...detailsFields }), {
      decode: onlyWritten,
      encode: SchemaGetter.transform((value: E["Type"]) => ({ error: body.code, ...detailsOf(body.details?.(value)) }))
    }),
    HttpApiSchema.status(body.status)
  )
