import type { Failure } from "../../../contract/failure.ts"
import type { OutboxMode, OutboxState } from "../../../contract/outbox.ts"
import type { HeldBy } from "../../../contract/schema/budget.ts"

/** A file that goes with a message, in base64. */
export interface OutgoingImage {
  readonly mimeType: string
  readonly fileName: string
  readonly content: string
}

/** A message that a person wrote here. */
export interface WrittenMessage {
  /** A UUID; the same message is never taken twice under it. */
  readonly id: string
  readonly sessionKey: string
  readonly text: string
  readonly images: ReadonlyArray<OutgoingImage>
  readonly mode: OutboxMode
  /** Epoch milliseconds before which it isn't sent. */
  readonly notBefore?: number
  /** When it was written, epoch milliseconds by this browser's clock. */
  readonly at: number
}

/**
 * How a message stands: the console's word for it, or before the console has it: `taking` is on its way there, `away`
 * waits until it can be reached.
 */
export type MessageState = OutboxState | "taking" | "away"

/** A message that isn't done with. */
export interface OutboxMessage {
  readonly id: string
  readonly sessionKey: string
  /** The run that it asks for at the gateway. */
  readonly runId: string
  readonly text: string
  readonly mode: OutboxMode
  /** Its place in the session's list, from 0. */
  readonly position: number
  readonly notBefore: number | null
  /** Epoch milliseconds. */
  readonly at: number
  readonly state: MessageState
  /** What keeps it from being sent: a budget that is used up, or the stop of everything. */
  readonly held?: HeldBy
  readonly error: Failure | null
  /** What comes with it. */
  readonly files: ReadonlyArray<{ readonly name: string; readonly type: string }>
}
