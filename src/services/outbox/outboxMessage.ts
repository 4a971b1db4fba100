import { Schema } from "effect"
import type { Failure } from "../../contract/failure.ts"
import type { OutboxMode, OutboxState } from "../../contract/outbox.ts"
import { OutboxItem, type SessionBegin } from "../../contract/schema/outbox.ts"

/** A session of a gateway. */
export interface OutboxSession {
  readonly gatewayId: string
  readonly sessionKey: string
}

/** A message that isn't finished. */
export interface StoredMessage extends OutboxSession {
  readonly id: string
  readonly text: string
  readonly mode: OutboxMode
  readonly notBefore?: number | undefined
  readonly createdAt: number
  readonly state: OutboxState
  readonly runId: string
  readonly error?: Failure | undefined
  /** What its session is set to before it's sent. */
  readonly begin?: SessionBegin | undefined
  /**
   * When it was last sent to the gateway, by the console's clock, and when that gateway started. A waiting message has a
   * time only if the gateway may have it: it's sent again under its id.
   */
  readonly sentAt?: number | undefined
  readonly gatewayStartedAt?: number | undefined
}

/** An attachment of a message. */
export interface StoredAttachment {
  readonly name: string
  readonly type: string
  readonly content: Uint8Array
}

/** The fields of a message that determine its order. */
export type Queued = Pick<StoredMessage, "id" | "text" | "mode" | "notBefore" | "state"> & {
  readonly attachments: number
}

/** No message has this id. */
export class MessageNotFound extends Schema.TaggedError<MessageNotFound>()("MessageNotFound", { id: Schema.String }) {}

/** The message can no longer be changed, or needs no decision; `item` has its state. */
export class MessageOnItsWay extends Schema.TaggedError<MessageOnItsWay>()("MessageOnItsWay", { item: OutboxItem }) {}

/** The outbox is full. */
export class OutboxFull extends Schema.TaggedError<OutboxFull>()("OutboxFull", {
  of: Schema.Literals(["session", "console"])
}) {}

/** The attachments of a message are larger than gateways accept. */
export class AttachmentsTooLarge extends Schema.TaggedError<AttachmentsTooLarge>()("AttachmentsTooLarge", {}) {}

/** A message with neither text nor attachments. */
export class EmptyMessage extends Schema.TaggedError<EmptyMessage>()("EmptyMessage", {}) {}

/** There's no gateway with this id. */
export class UnknownGateway extends Schema.TaggedError<UnknownGateway>()("UnknownGateway", { id: Schema.String }) {}
