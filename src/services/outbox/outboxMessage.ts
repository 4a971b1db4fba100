import type { Failure } from "../../contract/failure.ts"
import type { OutboxMode, OutboxState } from "../../contract/outbox.ts"

/** Whose list it is. */
export interface OutboxSession {
  readonly gatewayId: string
  readonly sessionKey: string
}

/** A message that isn't done with. */
export interface StoredMessage extends OutboxSession {
  readonly id: string
  readonly text: string
  readonly mode: OutboxMode
  readonly notBefore: number | undefined
  readonly createdAt: number
  readonly state: OutboxState
  readonly runId: string
  readonly error: Failure | undefined
  /**
   * When it was last on its way to the gateway, by the console's clock, and when that gateway says it started. One that
   * waits has a time only if the gateway may have it: it's sent again under its id.
   */
  readonly sentAt: number | undefined
  readonly gatewayStartedAt: number | undefined
}

/** What comes with a message. */
export interface StoredAttachment {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

/** A message as far as the order looks at it. */
export type Queued = Pick<StoredMessage, "id" | "text" | "mode" | "notBefore" | "state"> & {
  readonly attachments: number
}
