import { Schema } from "effect"
import { failureFields } from "../../../contract/schema/failure.ts"

/** The gateway rejected a value for this session; `message` names the field and what it accepts. */
export class InvalidSessionChange extends Schema.TaggedError<InvalidSessionChange>()(
  "InvalidSessionChange",
  failureFields
) {}
