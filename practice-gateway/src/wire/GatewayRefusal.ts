import { Schema } from "effect"

/** Error codes of the gateway's wire protocol. */
export const RefusalCode = Schema.Literals(["INVALID_REQUEST", "NOT_PAIRED", "UNAVAILABLE", "FORBIDDEN"])

/** A request the gateway answers with `ok:false`; the fields are those of the wire's `error` object. */
export class GatewayRefusal extends Schema.TaggedError<GatewayRefusal>()("GatewayRefusal", {
  code: RefusalCode,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  retryable: Schema.optionalKey(Schema.Boolean),
  retryAfterMs: Schema.optionalKey(Schema.Finite),
  /** What travels beside the error where an answer has both (a failed `agent` run). */
  payload: Schema.optionalKey(Schema.Unknown)
}) {}

/** The most common refusal: the request itself is invalid. */
export const invalidRequest = (message: string, details?: Readonly<Record<string, unknown>>) =>
  new GatewayRefusal({ code: "INVALID_REQUEST", message, ...(details === undefined ? {} : { details }) })
