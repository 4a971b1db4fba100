import type { SentFile } from "../demo/steps.ts"
import type { JsonObject } from "../wire/frames.ts"

/** Tokens and cost of one model answer; money in US dollars. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens: number
  readonly cost: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly total: number
  }
}

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
}

/** Parts of an assistant message. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly arguments: JsonObject }
  | (SentMedia & { readonly type: "media" })

/** A file that came with an answer. */
export interface SentMedia extends SentFile {
  readonly id: string
  readonly sessionKey: string
  /** Files are served a moment after the answer. */
  isServed: boolean
}

/** An image that came with a message. */
export interface StoredImage {
  readonly mimeType: string
  readonly fileName: string | undefined
  readonly sizeBytes: number
  readonly data: string
}

interface Stored {
  readonly id: string
  readonly seq: number
  readonly timestamp: number
  readonly runId: string
}

/** A session's message as stored by the gateway. */
export type Message =
  | (Stored & {
      readonly role: "user"
      readonly text: string
      readonly images: ReadonlyArray<StoredImage>
      /** What started the turn, if not a person. */
      readonly source?: "cron" | "subagent" | "announce"
      /** Where it comes from when it is the gateway's own or another session's. */
      readonly provenance?: JsonObject
    })
  | (Stored & {
      readonly role: "assistant"
      readonly parts: ReadonlyArray<Part>
      readonly provider: string
      readonly model: string
      readonly usage: Usage
      readonly stopReason: "stop" | "toolUse" | "error" | "aborted"
      readonly errorMessage?: string
      readonly origin?: "injected" | "abort"
    })
  | (Stored & {
      readonly role: "toolResult"
      readonly toolCallId: string
      readonly toolName: string
      readonly text: string
      readonly isError: boolean
    })
  /** An internal row, such as a nested tool call; clients do not show it. */
  | (Stored & { readonly role: "custom"; readonly customType: string; readonly content: ReadonlyArray<JsonObject> })

export type UserMessage = Extract<Message, { role: "user" }>
export type AssistantMessage = Extract<Message, { role: "assistant" }>

/** The words of a message, tool calls and thinking left out. */
export const messageText = (message: Message): string => {
  if (message.role === "custom") return ""
  return message.role === "assistant"
    ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")
    : message.text
}

/** An answer of the gateway itself, such as a command's. */
export const gatewayNote = (
  text: string,
  facts: { readonly id: string; readonly seq: number; readonly timestamp: number; readonly runId: string }
): AssistantMessage => ({
  ...facts,
  role: "assistant",
  parts: [{ type: "text", text }],
  provider: "openclaw",
  model: "gateway-injected",
  usage: NO_USAGE,
  stopReason: "stop",
  origin: "injected"
})
