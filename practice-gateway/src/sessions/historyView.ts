import type { Generation } from "../Generation.ts"
import type { JsonObject } from "../wire/frames.ts"
import type { Message } from "./messages.ts"

/** Bytes of a message as JSON above which the history has only its place. */
const MAX_MESSAGE = 128 * 1024

const LEFT_OUT = "[chat.history omitted: message too large]"

/** What stands in the history for a message that is too large. */
const placeholder = (message: Message, view: JsonObject): JsonObject => ({
  role: message.role,
  timestamp: message.timestamp,
  content: [{ type: "text", text: LEFT_OUT }],
  ...(message.role === "toolResult"
    ? { toolCallId: message.toolCallId, toolName: message.toolName, isError: message.isError }
    : {}),
  __openclaw: {
    id: message.id,
    seq: message.seq,
    ...(view.idempotencyKey === undefined ? {} : { idempotencyKey: view.idempotencyKey }),
    truncated: true,
    reason: "oversized"
  }
})

/** A message as `chat.history` lists it: long texts are cut, and what is still too large is left out. */
export const historyView = (message: Message, generation: Generation, maxChars: number): JsonObject => {
  const view = generation.message(message, "history", maxChars)
  return Buffer.byteLength(JSON.stringify(view)) > MAX_MESSAGE ? placeholder(message, view) : view
}
