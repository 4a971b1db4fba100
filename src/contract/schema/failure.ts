import { Schema } from "effect"

/** Why something failed, for programs; the codes are those of `FAILURES`. */
export const Why = Schema.Struct({
  code: Schema.String,
  values: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])))
}).annotate({ identifier: "Why" })

/** The fields of an error that has a sentence. */
export const failureFields = { message: Schema.String, why: Schema.optionalKey(Why) }

/** What an error body says besides its code. */
export const detailsFields = { details: Schema.optionalKey(Schema.String), why: Schema.optionalKey(Why) }

/** The body of every answer that is an error: a code, or one of the few fixed texts, and one sentence for people. */
export type ErrorAnswer = Schema.Struct.Type<{ readonly error: typeof Schema.String } & typeof detailsFields>
