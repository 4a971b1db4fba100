import { partsView } from "../src/sessions/mediaView.ts"
import { type AssistantMessage, type Message, messageText, type UserMessage } from "../src/sessions/messages.ts"
import { cut, cutPart, messageView, provenanceOf, responseId, type ViewPurpose } from "../src/sessions/messageView.ts"
import type { JsonObject } from "../src/wire/frames.ts"
import { wrappedText } from "./wrappedText.ts"

const isTyped = (message: Message) => message.role === "user" && message.source === undefined

/** What a message is kept as: what a person typed stands behind notes of the gateway. */
export const storedText = (message: Message): string =>
  isTyped(message) ? wrappedText(messageText(message), message.timestamp) : messageText(message)

const imageParts = ({ images }: UserMessage, hasData: boolean): ReadonlyArray<JsonObject> =>
  images.map(({ data, mimeType }) =>
    hasData
      ? { type: "image", data, mimeType }
      : { type: "image", mimeType, omitted: true, bytes: Buffer.byteLength(data) }
  )

/** The content of a person's message as it is stored. */
export const wrappedContent = (message: UserMessage): ReadonlyArray<JsonObject> => [
  { type: "text", text: wrappedText(message.text, message.timestamp) },
  ...imageParts(message, true)
]

const markerOf = ({ id, seq }: Message) => ({ id, seq })

const userView = (message: UserMessage, purpose: ViewPurpose, maxChars: number): JsonObject => {
  const typed = message.source === undefined && message.provenance === undefined
  const text = { type: "text", text: cut(message.text, maxChars) }
  return {
    role: "user",
    content:
      purpose === "stored" && typed ? wrappedContent(message) : [text, ...imageParts(message, purpose !== "history")],
    timestamp: message.timestamp,
    __openclaw: markerOf(message),
    ...(typed && purpose !== "stored" ? { senderLabel: "gateway-client" } : {}),
    ...provenanceOf(message)
  }
}

const assistantView = (message: AssistantMessage, purpose: ViewPurpose, maxChars: number): JsonObject => {
  const { errorMessage, origin, parts, usage } = message
  const { idempotencyKey, ...view } = messageView(message, maxChars)
  return {
    ...view,
    content: partsView(
      parts.map((part) => cutPart(part, maxChars)),
      true
    ),
    usage: purpose === "history" ? { ...usage, cost: { total: usage.cost.total } } : usage,
    ...(origin === undefined ? { responseId: responseId(message) } : {}),
    ...(origin === "abort" ? { idempotencyKey } : {}),
    ...(origin === undefined && errorMessage !== undefined ? { errorMessage } : {}),
    __openclaw: markerOf(message)
  }
}

/** A message as it is sent; texts over `maxChars` are cut. */
export const olderMessage = (
  message: Message,
  purpose: ViewPurpose,
  maxChars = Number.POSITIVE_INFINITY
): JsonObject => {
  if (message.role === "user") return userView(message, purpose, maxChars)
  if (message.role === "assistant") return assistantView(message, purpose, maxChars)
  return { ...messageView(message, maxChars), __openclaw: markerOf(message) }
}
