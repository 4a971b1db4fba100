import { Option, Schema } from "effect"

/** A session keeps what its client says of itself, which is a few hundred bytes. */
export const MAX_OPENING_BYTES = 16 * 1024

const Opening = Schema.Struct({ method: Schema.Literal("initialize") })
const isOpening = Schema.is(Opening)
const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Whether a message to `/mcp` opens a session, or asks for it among others. */
export const opensSession = (text: string): boolean =>
  Option.match(decodeJson(text), {
    onNone: () => false,
    onSome: (message) => (Array.isArray(message) ? message.some(isOpening) : isOpening(message))
  })

/** Whether a message is larger than one that opens a session may be. */
export const isOverOpeningLimit = (text: string): boolean => Buffer.byteLength(text) > MAX_OPENING_BYTES
