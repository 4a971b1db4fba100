import type { Failure } from "../../../contract/failure.ts"
import type { NoteCode } from "../history/gatewayNotes.ts"
import type { ChatMedia } from "../history/mediaLines.ts"
import type { OutboxMessage, OutgoingImage } from "./outgoing.ts"

interface ItemBase {
  /** Stable for the life of an item, across streaming, `final` and history reads: use it as list key. */
  readonly key: string
  /** Epoch milliseconds, null when unknown. */
  readonly at: number | null
}

/** Something nobody in this conversation said: text from the gateway or another session, or a code for a sentence. */
export type NoteItem = ItemBase & {
  readonly kind: "note"
  /** Who said it. */
  readonly from: { readonly code: NoteCode } | { readonly name: string }
} & ({ readonly text: string } | { readonly code: NoteCode })

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
  readonly error: Failure | null
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
  /** The gateway left out the rest of the output. */
  readonly isCut?: true
  /** `denied` wasn't run because nobody allowed it. */
  readonly status: "running" | "done" | "denied" | "error" | "aborted"
  readonly startedAt: number | null
  readonly durationMs: number | null
}

export interface ErrorItem extends ItemBase {
  readonly kind: "error"
  readonly failure: Failure
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

/** The part of a conversation that screens see. */
export interface ChatState {
  readonly sessionKey: string
  /** `loading` only before the first page; a later resync keeps what is on screen. */
  readonly status: "loading" | "ready" | "failed"
  readonly failure: Failure | null
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

/** A message that wasn't sent after all. */
export interface TakenBack {
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
}

/** The result of a person's action. */
export type ActionAnswer = { readonly ok: true } | { readonly ok: false; readonly failure: Failure }

export interface TurnEnd {
  readonly runId: string
  readonly outcome: "done" | "error" | "aborted"
  /** The response's raw text, as its parts are shown. */
  readonly text: string
  /** The question; null for a turn whose question nobody here knows. */
  readonly question: { readonly key: string; readonly text: string } | null
  /** The last item of the turn; null if it has none. */
  readonly last: string | null
  /** It was stopped by `abort`. */
  readonly isStopped: boolean
}
