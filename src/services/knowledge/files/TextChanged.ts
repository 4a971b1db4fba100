import { Schema } from "effect"

/** The text has changed since the version in the request. */
export class TextChanged extends Schema.TaggedError<TextChanged>()("TextChanged", {}) {}
