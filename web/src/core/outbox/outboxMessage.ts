import type { OutboxMode, OutboxState } from "../../../../src/contract/outbox.ts"

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
  readonly error: string | null
  /** What comes with it. */
  readonly files: ReadonlyArray<{ readonly name: string; readonly type: string }>
}
