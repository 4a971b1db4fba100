import { Schema } from "effect"

/** Why something failed, for programs; the codes are those of `FAILURES`. */
export const Why = Schema.Struct({
  code: Schema.String,
  values: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])))
}).annotate({ identifier: "Why" })

/** The fields of an error that has a sentence. */
export const failureFields = { message: Schema.String, why: Schema.optionalKey(Why) }
