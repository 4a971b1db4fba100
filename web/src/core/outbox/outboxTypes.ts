import type { OutboxDecision, OutboxMode } from "../../../../src/contract/outbox.ts"
import type { OutgoingImage, WrittenMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import type { ActionResult } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import type { OutboxMessage } from "./outboxMessage.ts"

/** What a person may change about a message that waits. */
export interface MessageChange {
  readonly text?: string
  readonly mode?: OutboxMode
  readonly position?: number
  readonly notBefore?: number | null
}

/** A message of this page, until the console's list has it. */
export interface Pending {
  readonly message: WrittenMessage
  /** `dropped` was taken back while nobody knew whether the console had it. */
  readonly state: "taking" | "away" | "taken" | "dropped"
  readonly error: string | null
}

/** The messages of a session that aren't done with, in their order. */
export type OutboxListener = (messages: ReadonlyArray<OutboxMessage>) => void

/** What loads after the first screen. */
export interface OutboxStore {
  /** Hands over what is pending. */
  hand(id: string): void
  /** Calls back with the messages of a session now, if they are known, and at each change. */
  follow(sessionKey: string, listener: OutboxListener): () => void
  change(id: string, change: MessageChange): Promise<ActionResult>
  /** Takes a message out of the queue. */
  remove(id: string): Promise<ActionResult>
  /** Reads the pictures of a message from the console. */
  pictures(id: string): Promise<ActionResult<ReadonlyArray<OutgoingImage>>>
  decide(id: string, decision: OutboxDecision): Promise<ActionResult>
  dispose(): void
}

/** A message that isn't sent, with the reason as a sentence. */
export interface Returned {
  readonly message: WrittenMessage
  readonly reason: string
}

/** What the outbox needs of the page. */
export interface OutboxParts {
  /** What a session is to have before a message goes; null if there's nothing to wait for. */
  readonly prepare: (sessionKey: string) => Promise<ActionResult<unknown>> | null
  /** Takes back what won't be sent: it's kept nowhere else from then on. */
  readonly giveBack: (returned: Returned) => void
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "connected" | "on">
  readonly env: Pick<Environment, "fetch" | "openKept" | "origin">
}
