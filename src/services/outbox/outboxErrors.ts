import { Schema } from "effect"
import { OutboxItem } from "../../contract/schema/outbox.ts"

/** No message has this id. */
export class MessageNotFound extends Schema.TaggedError<MessageNotFound>()("MessageNotFound", { id: Schema.String }) {}

/** The message can't be changed any more, or there's nothing to decide about it; `item` says how it stands. */
export class MessageOnItsWay extends Schema.TaggedError<MessageOnItsWay>()("MessageOnItsWay", { item: OutboxItem }) {}

/** There's no room for another message. */
export class OutboxFull extends Schema.TaggedError<OutboxFull>()("OutboxFull", {
  of: Schema.Literals(["session", "console"])
}) {}

/** The attachments of a message are larger than gateways take. */
export class AttachmentsTooLarge extends Schema.TaggedError<AttachmentsTooLarge>()("AttachmentsTooLarge", {}) {}

/** A message with neither words nor attachments. */
export class EmptyMessage extends Schema.TaggedError<EmptyMessage>()("EmptyMessage", {}) {}

/** There's no gateway with this id. */
export class UnknownGateway extends Schema.TaggedError<UnknownGateway>()("UnknownGateway", { id: Schema.String }) {}
