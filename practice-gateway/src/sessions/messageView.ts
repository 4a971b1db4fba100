import { createHash } from "node:crypto"
import type { JsonObject } from "../wire/frames.ts"
import type { Generation } from "../wire/generations.ts"
import { partsView } from "./mediaView.ts"
import type { AssistantMessage, Message, Part, UserMessage } from "./messages.ts"
import { wrappedText } from "./wrappedText.ts"

const OWNER = {
  senderIsOwner: true,
  senderId: "gateway-owner",
  senderIdentity: { type: "profile", id: "gateway-owner" }
}
const TRANSPORT = { clients: [{ id: "gateway-client", mode: "ui" }] }
const AVATAR = "/api/users/gateway-owner/avatar?v=1"

/** How a message is shown: as a `session.message` event, a row of `chat.history`, or as `sessions.get` gives it. */
export type ViewPurpose = "event" | "history" | "stored"

const cut = (text: string, maxChars: number) =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n...(truncated)...`

const cutPart = (part: Part, maxChars: number): Part =>
  part.type === "text" && part.text.length > maxChars
    ? { type: "text", text: cut(part.text, maxChars) }
    : part.type === "thinking" && part.thinking.length > maxChars
      ? { type: "thinking", thinking: cut(part.thinking, maxChars) }
      : part

const marker = (message: Message, generation: Generation, extra: JsonObject = {}): JsonObject =>
  generation === "old"
    ? { id: message.id, seq: message.seq }
    : {
        ...extra,
        id: message.id,
        recordTimestampMs: message.timestamp,
        transcriptPosition: { source: "demo", rawSeq: message.seq },
        seq: message.seq
      }

const usageView = (message: AssistantMessage, generation: Generation, purpose: ViewPurpose) =>
  generation === "old" && purpose === "history"
    ? { ...message.usage, cost: { total: message.usage.cost.total } }
    : message.usage

/** What the newer generation calls a picture a person sent. */
export const inboundName = (messageId: string, index: number): string => `${messageId}-${index}`

/** How the newer generation says that a text was cut. */
const DISPLAY_CAP = { truncated: true, reason: "display-cap" }

const imageParts = ({ images }: UserMessage, hasData: boolean): ReadonlyArray<JsonObject> =>
  images.map(({ data, mimeType }) =>
    hasData
      ? { type: "image", data, mimeType }
      : { type: "image", mimeType, omitted: true, bytes: Buffer.byteLength(data) }
  )

/** The content of a message of a person as the older generation stores it. */
export const wrappedContent = (message: UserMessage): ReadonlyArray<JsonObject> => [
  { type: "text", text: wrappedText(message.text, message.timestamp) },
  ...imageParts(message, true)
]

const provenanceOf = (message: UserMessage): JsonObject =>
  message.provenance !== undefined
    ? { provenance: message.provenance }
    : message.source === "announce"
      ? { provenance: { kind: "inter_session", sourceTool: "subagent_announce" } }
      : {}

const oldUserView = (message: UserMessage, purpose: ViewPurpose, maxChars: number): JsonObject => {
  const isTyped = message.source === undefined && message.provenance === undefined
  const text = { type: "text", text: cut(message.text, maxChars) }
  return {
    role: "user",
    content:
      purpose === "stored" && isTyped ? wrappedContent(message) : [text, ...imageParts(message, purpose !== "history")],
    timestamp: message.timestamp,
    __openclaw: marker(message, "old"),
    ...(isTyped && purpose !== "stored" ? { senderLabel: "gateway-client" } : {}),
    ...provenanceOf(message)
  }
}

const userView = (message: UserMessage, generation: Generation, purpose: ViewPurpose, maxChars: number): JsonObject => {
  if (generation === "old") return oldUserView(message, purpose, maxChars)
  const text = cut(message.text, maxChars)
  const { timestamp, runId, images } = message
  const key = `${runId}:user`
  const media = images.map((image, index) => ({
    url: `media://inbound/${inboundName(message.id, index)}`,
    contentType: image.mimeType,
    kind: "image",
    sizeBytes: image.sizeBytes
  }))
  return {
    role: "user",
    content: text,
    timestamp,
    idempotencyKey: key,
    ...provenanceOf(message),
    __openclaw: {
      ...OWNER,
      ...(text === message.text ? {} : DISPLAY_CAP),
      transport: TRANSPORT,
      ...(media.length === 0
        ? {}
        : { media, mediaImageLayout: { slots: media.map((_, factIndex) => ({ kind: "inline", factIndex })) } }),
      ...marker(message, generation, { idempotencyKey: key }),
      senderProfileAvatarUrl: AVATAR
    }
  }
}

const responseId = (message: Message) => `demo-${createHash("sha256").update(message.id).digest("hex").slice(0, 16)}`

const assistantView = (
  message: AssistantMessage,
  generation: Generation,
  purpose: ViewPurpose,
  maxChars: number
): JsonObject => {
  const { timestamp, runId, stopReason, provider, model } = message
  const usage = usageView(message, generation, purpose)
  const parts = message.parts.map((part) => cutPart(part, maxChars))
  const content = partsView(parts, generation)
  const isCut = generation === "new" && parts.some((part, index) => part !== message.parts[index])
  if (message.origin !== undefined) {
    const key = `${runId}:assistant`
    const abort = { openclawAbort: { aborted: true, origin: "rpc", runId } }
    return {
      role: "assistant",
      content,
      timestamp,
      stopReason: "stop",
      usage,
      api: "openai-responses",
      provider,
      model,
      ...(message.origin === "abort" ? { idempotencyKey: key, ...abort } : {}),
      __openclaw: marker(message, generation, {
        runId,
        ...(message.origin === "abort" ? { idempotencyKey: key } : {})
      })
    }
  }
  const failed = stopReason === "error"
  return {
    role: "assistant",
    content,
    api: "openai-completions",
    provider,
    model,
    usage,
    stopReason,
    timestamp,
    ...(failed && generation === "new"
      ? { idempotencyKey: `${runId}:terminal-error` }
      : { responseId: responseId(message) }),
    ...(message.errorMessage !== undefined && generation === "old" ? { errorMessage: message.errorMessage } : {}),
    __openclaw: marker(message, generation, {
      runId,
      ...(isCut ? DISPLAY_CAP : {}),
      ...(failed ? { idempotencyKey: `${runId}:terminal-error` } : {})
    })
  }
}

/** A message in the shape its generation sends; texts over `maxChars` are cut. */
export const messageView = (
  message: Message,
  generation: Generation,
  purpose: ViewPurpose,
  maxChars = Number.POSITIVE_INFINITY
): JsonObject => {
  if (message.role === "user") return userView(message, generation, purpose, maxChars)
  if (message.role === "assistant") return assistantView(message, generation, purpose, maxChars)
  if (message.role === "custom")
    return {
      role: "custom",
      customType: message.customType,
      display: true,
      excludeFromContext: true,
      content: message.content,
      timestamp: message.timestamp,
      __openclaw: marker(message, generation, { runId: message.runId })
    }
  return {
    role: "toolResult",
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    content: [{ type: "text", text: cut(message.text, maxChars) }],
    isError: message.isError,
    timestamp: message.timestamp,
    __openclaw: marker(message, generation, { runId: message.runId })
  }
}
