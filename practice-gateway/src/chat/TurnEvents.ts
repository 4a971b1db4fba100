import type { Connection } from "../server/Connection.ts"
import type { AssistantMessage, Message, UserMessage } from "../sessions/messages.ts"
import type { Session } from "../sessions/SessionStore.ts"
import type { JsonObject } from "../wire/frames.ts"
import type { FailReason } from "./failures.ts"

/** One turn of a session, from the request to its end. */
export interface Turn {
  readonly runId: string
  readonly session: Session
  readonly kind: "chat" | "agent" | "cron" | "subagent" | "announce"
  readonly requestedAt: number
  /** The requesting connection, the only one that gets tool events. */
  readonly sender: Connection | undefined
  startedAt: number
  /** Number of the last `chat`/`agent` event of this run. */
  seq: number
  /** All text so far, across all parts. */
  shown: string
  /** Text of the current part. */
  part: string
  partNumber: number
  /** Text of the last `chat` delta. */
  lastDelta: string
  /** A tool was called. */
  usedTools: boolean
  /** What was told of its tools, as is repeated to a page that comes later. */
  readonly toolEvents: Array<JsonObject>
}

export interface TurnOutcome {
  readonly status: "ok" | "error" | "aborted"
  readonly text: string
  readonly error?: string
  readonly endedAt: number
}

/** A running tool. */
export interface ToolCall {
  readonly id: string
  readonly parentId?: string
  readonly name: string
  readonly args: JsonObject
  readonly meta: string
  readonly startedAt: number
}

/** A tool's result. */
export interface ToolResult {
  readonly text: string
  readonly details: JsonObject
  readonly isError: boolean
}

/** A turn's events in one generation's order and format. */
export interface TurnEvents {
  /** The turn starts; `user` is the stored message, if there is one. */
  readonly started: (turn: Turn, user: UserMessage | undefined) => void
  /** The model is called, at the start and after each tool. */
  readonly modelStarted: (turn: Turn) => void
  readonly thinking: (turn: Turn, text: string, delta: string) => void
  readonly assistant: (turn: Turn, text: string, delta: string) => void
  /** The agent is about to send files. */
  readonly media: (turn: Turn, paths: ReadonlyArray<string>) => void
  /** A `chat` delta with everything shown so far. */
  readonly delta: (turn: Turn) => void
  /** An assistant message or tool result was stored. */
  readonly stored: (turn: Turn, message: Message) => void
  readonly toolStarted: (turn: Turn, call: ToolCall) => void
  readonly toolUpdated: (turn: Turn, call: ToolCall, result: ToolResult) => void
  readonly toolEnded: (turn: Turn, call: ToolCall, result: ToolResult, endedAt: number) => void
  /** The turn ended well; `message` is its last assistant message. */
  readonly finished: (turn: Turn, message: AssistantMessage) => void
  readonly failed: (turn: Turn, message: Message, error: string, reason: FailReason) => void
  /** Sent before anything else on an abort; `afterAbort` follows once the partial answer is stored. */
  readonly aborted: (turn: Turn) => void
  readonly afterAbort: (turn: Turn, stored: ReadonlyArray<Message>) => void
  /** A message queued behind a running turn: its own run ends without output. */
  readonly queued: (turn: Turn) => void
  /** A message that isn't a valid answer to the open question: its own run ends with the reason. */
  readonly unaccepted: (turn: Turn, why: string) => void
  /** A command's answer: one `final`, no `agent` events. */
  readonly injected: (turn: Turn, user: UserMessage, message: AssistantMessage) => void
}
