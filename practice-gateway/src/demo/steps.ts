import type { Effect } from "effect"
import type { QuestionAnswers, QuestionPart } from "../chat/questionRules.ts"
import type { JsonObject } from "../wire/frames.ts"

/** A file as an agent has it. */
export interface SentFile {
  /** Where it lies on the agent's machine. */
  readonly path: string
  readonly mimeType: string
  /** Its bytes in base64. */
  readonly data: string
  /** Pixels, of pictures. */
  readonly width?: number
  readonly height?: number
}

/** One thing the demonstration agent does in a turn, in order. */
export type DemoStep =
  | { readonly type: "thinking"; readonly text: string }
  /** Streamed text; `tokenMs` overrides the usual pace. */
  | { readonly type: "text"; readonly text: string; readonly tokenMs?: number }
  /** A file the agent sends with what it said. */
  | ({ readonly type: "media" } & SentFile)
  | {
      readonly type: "tool"
      readonly name: string
      readonly args: JsonObject
      /** A few words for people. */
      readonly meta: string
      readonly result: string
      readonly details?: JsonObject
      readonly isError?: boolean
      /** How long the tool works. */
      readonly runMs: number
      /** What the tool really does; its outcome replaces `result`. */
      readonly work?: Effect.Effect<string>
    }
  /** A command that runs only when a person allows it, and what is said after either answer. */
  | {
      readonly type: "approve"
      readonly command: string
      readonly meta: string
      readonly result: string
      readonly allowed: string
      readonly denied: string
      readonly runMs: number
    }
  /** A question to the person, and what is said after the answers; null when there are none. */
  | {
      readonly type: "ask"
      readonly questions: ReadonlyArray<QuestionPart>
      readonly timeoutMs: number
      readonly reply: (answers: QuestionAnswers | null) => string
      /** What is said where the gateway cannot ask. */
      readonly unable?: string
    }
  | { readonly type: "spawn"; readonly task: string; readonly label: string }
  | { readonly type: "fail"; readonly reason?: "format" | "rate_limit" }
  /** Never ends by itself. */
  | { readonly type: "hang" }

/** What the agent knows about the turn it answers. */
export interface DemoPrompt {
  readonly text: string
  readonly images: ReadonlyArray<{
    readonly mimeType: string
    readonly sizeBytes: number
    readonly fileName: string | undefined
  }>
  readonly model: string
  readonly thinkingLevel: string
  /** Why the turn runs when no person asked. */
  readonly source?: "cron" | "subagent" | "announce"
}

/** Splits text into the pieces it is streamed in; joined they give the text back. */
export const tokensOf = (text: string): ReadonlyArray<string> => text.match(/\s*[^\s]{1,8}|\s+$/g) ?? []

/** Decides what happens in a turn. */
export type DemoAgent = (prompt: DemoPrompt) => ReadonlyArray<DemoStep>
