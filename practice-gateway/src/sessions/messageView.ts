import { createHash } from "node:crypto"
import type { JsonObject } from "../wire/frames.ts"
import { partsView } from "./mediaView.ts"
import type { AssistantMessage, Message, Part, UserMessage } from "./messages.ts"

const OWNER = {
  senderIsOwner: true,
  senderId: "gateway-owner",
  senderIdentity: { type: "profile", id: "gateway-owner" }
}
const TRANSPORT = { clients: [{ id: "gateway-client", mode: "ui" }] }
const AVATAR = "/api/users/gateway-owner/avatar?v=1"

/** How a message is shown: as a `session.message` event, a row of `chat.history`, or as `sessions.get` gives it. */
export type ViewPurpose = "event" | "history" | "stored"

export const cut = (text: string, maxChars: number) =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n...(truncated)...`

export const cutPart = (part: Part, maxChars: number): Part =>
  part.type === "text" && part.text.length > maxChars
    ? { type: "text", text: cut(part.text, maxChars) }
    : part.type === "thinking" && part.thinking.length > maxChars
      ? { type: "thinking", thinking: cut(part.thinking, maxChars) }
      : part

const marker = (message: Message, extra: JsonObject): JsonObject => ({
  ...extra,
  id: message.id,
  recordTimestampMs: message.timestamp,
  transcriptPosition: { source: "demo", rawSeq: message.seq },
  seq: message.seq
})

/** What a picture is called that a person sent. */
export const inboundName = (messageId: string, index: number): string => `${messageId}-${index}`

/** Says that a text was cut. */
const DISPLAY_CAP = { truncated: true, reason: "display-cap" }

export const provenanceOf = (message: UserMessage): JsonObject =>
  message.provenance !== undefined
    ? { provenance: message.provenance }
    : message.source === "announce"
      ? { provenance: { kind: "inter_session", sourceTool: "subagent_announce" } }
      : {}

const userView = (message: UserMessage, maxChars: number): JsonObject => {
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
      ...marker(message, { idempotencyKey: key }),
      senderProfileAvatarUrl: AVATAR
    }
  }
}

export const responseId = (message: Message) =>
  `demo-${createHash("sha256").update(message.id).digest("hex").slice(0, 16)}`

const assistantView = (message: AssistantMessage, maxChars: number): JsonObject => {
  const { timestamp, runId, stopReason, provider, model, usage } = message
  const parts = message.parts.map((part) => cutPart(part, maxChars))
  const content = partsView(parts)
  const isCut = parts.some((part, index) => part !== message.parts[index])
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
      __openclaw: marker(message, {
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
    ...(failed ? { idempotencyKey: `${runId}:terminal-error` } : { responseId: responseId(message) }),
    __openclaw: marker(message, {
      runId,
      ...(isCut ? DISPLAY_CAP : {}),
      ...(failed ? { idempotencyKey: `${runId}:terminal-error` } : {})
    })
  }
}

/** A message as it is sent; texts over `maxChars` are cut. */
export const messageView = (message: Message, maxChars = Number.POSITIVE_INFINITY): JsonObject => {
  if (message.role === "user") return userView(message, maxChars)
  if (message.role === "assistant") return assistantView(message, maxChars)
  if (message.role === "custom")
    return {
      role: "custom",
      customType: message.customType,
      display: true,
      excludeFromContext: true,
      content: message.content,
      timestamp: message.timestamp,
      __openclaw: marker(message, { runId: message.runId })
    }
  return {
    role: "toolResult",
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    content: [{ type: "text", text: cut(message.text, maxChars) }],
    isError: message.isError,
    timestamp: message.timestamp,
    __openclaw: marker(message, { runId: message.runId })
  }
}
