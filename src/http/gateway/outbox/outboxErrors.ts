import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { MAX_WAITING } from "../../../contract/outbox.ts"
import { OutboxItem } from "../../../contract/schema/outbox.ts"
import {
  AttachmentsTooLarge,
  EmptyMessage,
  MessageNotFound,
  MessageOnItsWay,
  OutboxFull,
  UnknownGateway
} from "../../../services/outbox/outboxMessage.ts"
import { errorBody, onlyWritten } from "../../errorBody.ts"

/** 404 `{error: "not_found"}`. */
export const MessageNotFoundError = errorBody(MessageNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("MESSAGE_NOT_FOUND")
})

/** 404 `{error: "unknown_gateway"}`. */
export const UnknownGatewayError = errorBody(UnknownGateway, {
  code: "unknown_gateway",
  status: 404,
  details: () => failure("GATEWAY_NOT_FOUND")
})

/** 400 for a message without anything in it. */
export const EmptyMessageError = errorBody(EmptyMessage, {
  code: "validation_error",
  status: 400,
  details: () => failure("EMPTY_MESSAGE", { field: "text" })
})

/** 413 for attachments that no gateway would take. */
export const AttachmentsTooLargeError = errorBody(AttachmentsTooLarge, {
  code: "attachments_too_large",
  status: 413,
  details: () => failure("ATTACHMENTS_TOO_LARGE")
})

/** 409 when there's no room for another message. */
export const OutboxFullError = errorBody(OutboxFull, {
  code: "outbox_full",
  status: 409,
  details: ({ of }) =>
    of === "session" ? failure("SESSION_OUTBOX_FULL", { max: MAX_WAITING }) : failure("OUTBOX_FULL")
})

/** 409 `{error: "on_its_way", item}` for a message that can't be changed any more. */
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
