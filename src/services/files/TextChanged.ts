import { Schema } from "effect"

/** The text has changed since the version the request goes by. */
export class TextChanged extends Schema.TaggedError<TextChanged>()("TextChanged", {}) {}
