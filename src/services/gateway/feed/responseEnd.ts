import { Schema } from "effect"

const TextPart = Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })

/** A chat message; gateways give the content as text or as parts. */
export const ResponseMessage = Schema.Struct({
  role: Schema.String,
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)])),
  timestamp: Schema.optionalKey(Schema.Finite),
  stopReason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  errorMessage: Schema.optionalKey(Schema.NullOr(Schema.String)),
  provider: Schema.optionalKey(Schema.Unknown),
  model: Schema.optionalKey(Schema.Unknown),
  openclawAbort: Schema.optionalKey(Schema.Struct({ aborted: Schema.Boolean }))
})
export type ResponseMessage = typeof ResponseMessage.Type

/** A `chat` event that ends a run. */
export const ResponseEnd = Schema.Struct({
  runId: Schema.String,
  sessionKey: Schema.optionalKey(Schema.String),
  state: Schema.Literals(["final", "error", "aborted"]),
  message: Schema.optionalKey(ResponseMessage),
  errorMessage: Schema.optionalKey(Schema.String),
  /** Newer gateways only. */
  errorDetail: Schema.optionalKey(Schema.Unknown)
})
export type ResponseEnd = typeof ResponseEnd.Type
