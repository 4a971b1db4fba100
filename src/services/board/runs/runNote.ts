import { Schema } from "effect"

/** A log line about what an agent did for the board. */
export const RunNote = Schema.Struct({
  type: Schema.Literals(["run", "marker"]),
  level: Schema.Literals(["info", "warning", "error"]),
  message: Schema.String,
  data: Schema.Record(Schema.String, Schema.String)
})
export type RunNote = typeof RunNote.Type
