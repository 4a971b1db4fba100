import type { JsonObject } from "../wire/frames.ts"

/** One thing the demonstration agent does in a turn, in order. */
export type DemoStep =
  | { readonly type: "thinking"; readonly text: string }
  /** Streamed text; `tokenMs` overrides the usual pace. */
  | { readonly type: "text"; readonly text: string; readonly tokenMs?: number }
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
  | { readonly type: "spawn"; readonly task: string; readonly label: string }
  | { readonly type: "fail" }
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
