import { Schema } from "effect"

/** The gateway rejected a value for this session; `details` names the field and what it accepts. */
export class InvalidSessionChange extends Schema.TaggedError<InvalidSessionChange>()("InvalidSessionChange", {
  details: Schema.String
}) {}
