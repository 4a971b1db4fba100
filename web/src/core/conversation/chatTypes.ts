import type { OutboxMode } from "../../../../src/contract/outbox.ts"
import type { ActionResult, Readable } from "../common/Observable.ts"
import type { OutgoingImage } from "../link/Environment.ts"
import type { OutboxMessage } from "../outbox/outboxMessage.ts"
import type { ChatMedia } from "../text/mediaLines.ts"

/** Something nobody in this conversation said: text from the gateway or another session. */
export interface NoteItem extends ItemBase {
  readonly kind: "note"
  /** Who said it. */
  readonly from: string
  readonly text: string
}

/** A message that wasn't sent after all. */
export interface TakenBack {
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
}

interface ItemBase {
  /** Stable for the life of an item, across streaming, `final` and history reads: use it as list key. */
  readonly key: string
  /** Epoch milliseconds, null when unknown. */
  readonly at: number | null
}

/**
 * `held` waits at the console and can still be changed; `queued` waits at the gateway for the running turn; `failed`
 * has a sentence and can be sent again; of one that is `unsure`, a person decides whether it arrived.
 */
export type Delivery = "held" | "sending" | "queued" | "sent" | "failed" | "unsure"

export interface UserItem extends ItemBase {
  readonly kind: "user"
  readonly text: string
  /** Data URLs of what was just sent; later what the gateway stored. */
  readonly images: ReadonlyArray<ChatMedia>
  /** The gateway sent at most the beginning of the text. */
  readonly isCut?: true
  /** A person has asked for all of it. */
  readonly isAskedFor?: true
  readonly delivery: Delivery
  /** The gateway has it, and the agent hasn't read it yet: the running turn reads it at its next step, or its own begins. */
  readonly isHanded?: true
  /** How it stands in the outbox, as long as something can be done about it there. */
  readonly waits?: Pick<OutboxMessage, "held" | "id" | "mode" | "notBefore" | "position" | "state">
  readonly error: string | null
}

export interface AssistantItem extends ItemBase {
  readonly kind: "assistant"
  /** Raw text with its markers; pass it to `parseMarkers`, then to the markdown renderer. */
  readonly text: string
  readonly streaming: boolean
  readonly model: string | null
  /** True for the gateway's own notes and command responses. */
  readonly injected: boolean
  /** What the agent sent with it. */
  readonly media?: ReadonlyArray<ChatMedia>
  /** The gateway sent at most the beginning of the text. */
  readonly isCut?: true
  /** A person has asked for all of it. */
  readonly isAskedFor?: true
  readonly usage: { readonly input: number; readonly output: number; readonly cost: number | null } | null
}

export interface ThinkingItem extends ItemBase {
  readonly kind: "thinking"
  readonly text: string
  readonly streaming: boolean
}

export interface ToolItem extends ItemBase {
  readonly kind: "tool"
  readonly callId: string
  readonly name: string
  /** The gateway's short description of what the tool does, if any. */
  readonly title: string | null
  readonly args: unknown
  /** Text of the (partial) result; empty until there is one. */
  readonly output: string
  /** `denied` wasn't run because nobody allowed it. */
  readonly status: "running" | "done" | "denied" | "error" | "aborted"
  readonly startedAt: number | null
  readonly durationMs: number | null
}

export interface ErrorItem extends ItemBase {
  readonly kind: "error"
  readonly message: string
}

export interface AbortedItem extends ItemBase {
  readonly kind: "aborted"
}

export type ChatItem = UserItem | AssistantItem | ThinkingItem | ToolItem | ErrorItem | AbortedItem | NoteItem

/**
 * What the agent is doing, as the header shows it. `DONE` becomes `IDLE` after 3 seconds; an abort goes to `IDLE` at
 * once.
 */
export type Activity = "IDLE" | "THINKING" | "STREAMING" | "DONE"

export interface ChatState {
  readonly sessionKey: string
  /** `loading` only before the first page; a later resync keeps what is on screen. */
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  /** Oldest first. Unchanged items keep their identity between states. */
  readonly items: ReadonlyArray<ChatItem>
  readonly activity: Activity
  /** False without a connection, and until the gateway has said how things stand on a new one. */
  readonly linked: boolean
  /** The session was deleted elsewhere; another message creates a new one under its key. */
  readonly deleted: boolean
  /** The gateway knew no such session when its history was read: it never existed, or never had a message. */
  readonly isUnknown?: true
  /** A turn is running in this session, whoever started it. */
  readonly running: boolean
  readonly aborting: boolean
  /** Messages waiting for their turn, at the console or the gateway. */
  readonly queued: number
  /** What the gateway is preparing before the model starts, such as `starting_model`. */
  readonly phase: string | null
  readonly hasOlder: boolean
  readonly loadingOlder: boolean
}

export interface ChatStore {
  readonly state: Readable<ChatState>
  /**
   * Shows the message at once and gives it to the console, which sends it when its turn or its time has come; false
   * if there is nothing to send.
   */
  send(text: string, images?: ReadonlyArray<OutgoingImage>, mode?: OutboxMode, notBefore?: number): boolean
  /** Sends a failed message again. */
  retry(key: string): void
  /** Takes a failed or held message out of the queue and off the screen. */
  takeBack(key: string): Promise<ActionResult<TakenBack>>
  abort(): Promise<ActionResult>
  /**
   * Asks a delivered question again, with another `text` if given. What followed it is removed from the session if
   * the gateway can do that, and kept: by the gateway as a version to switch back to, or else in this browser.
   * Otherwise the question is repeated at the end.
   */
  askAgain(key: string, text?: string): Promise<ActionResult>
  /** The same for the last question, which after a failure is the one that failed; one that wasn't sent is sent. */
  regenerate(): Promise<ActionResult>
  /** What asking a question again removes: the question and everything after it, or nothing. */
  removedBy(key: string): ReadonlyArray<ChatItem>
  loadOlder(): Promise<void>
  /** Keys of the loaded items that a message of the gateway's history became, oldest first. */
  keysOf(messageId: string): ReadonlyArray<string>
  /** The message of the gateway's history that an item shows; null while it isn't known. */
  messageOf(key: string): string | null
  /** Reads all of a message that the gateway cut, and shows it. */
  readWhole(key: string): Promise<ActionResult>
  resync(): Promise<void>
  /** Reports turns that ended without being stopped by this page, for notifications and speech. */
  onTurnEnd(listener: (turn: TurnEnd) => void): () => void
  dispose(): void
}

export interface TurnEnd {
  readonly sessionKey: string
  readonly outcome: "done" | "error" | "aborted"
  /** The response's raw text, as its parts are shown. */
  readonly text: string
  /** The question; null for a turn whose question nobody on this page knows. */
  readonly question: string | null
}
