import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { MAX_WAITING } from "../../../contract/outbox.ts"
import { OutboxItem } from "../../../contract/schema/outbox.ts"
import {
  AttachmentsTooLarge,
  EmptyMessage,
  MessageNotFound,
  MessageOnItsWay,
  OutboxFull,
  UnknownGateway
} from "../../../services/outbox/outboxErrors.ts"
import { errorBody, onlyWritten } from "../../errorBody.ts"

/** 404 `{error: "not_found"}`. */
export const MessageNotFoundError = errorBody(MessageNotFound, {
  code: "not_found",
  status: 404,
  details: () => "There's no such message: it was taken back, or the agent has it."
})

/** 404 `{error: "unknown_gateway"}`. */
export const UnknownGatewayError = errorBody(UnknownGateway, {
  code: "unknown_gateway",
  status: 404,
  details: () => "There's no gateway with this id."
})

/** 400 for a message without anything in it. */
export const EmptyMessageError = errorBody(EmptyMessage, {
  code: "validation_error",
  status: 400,
  details: () => "text: must not be empty unless something is attached"
})

/** 413 for attachments that no gateway would take. */
export const AttachmentsTooLargeError = errorBody(AttachmentsTooLarge, {
  code: "attachments_too_large",
  status: 413,
  details: () => "A message's attachments can be 12 MB in total: send fewer or smaller ones."
})

/** 409 when there's no room for another message. */
export const OutboxFullError = errorBody(OutboxFull, {
  code: "outbox_full",
  status: 409,
  details: ({ of }) =>
    of === "session"
      ? `${MAX_WAITING} messages are waiting in this session already: take some of them back first.`
      : "The waiting messages already take up 200 MB: take some of them back first."
})

/** 409 `{error: "on_its_way", item}` for a message that can't be changed as asked. */
export const MessageOnItsWayError = MessageOnItsWay.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("on_its_way"), item: OutboxItem }).annotate({
      identifier: "MessageOnItsWay"
    }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ item }) => ({ error: "on_its_way" as const, item }))
    }
  ),
  HttpApiSchema.status(409)
)
