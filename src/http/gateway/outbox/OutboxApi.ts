import { ByteSize, Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MessageChange, MessageDecision, NewMessage, OutboxItem, OutboxList } from "../../../contract/schema/outbox.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import { StoreFailure, StoreUnavailable } from "../../board/boardErrors.ts"
import { onlyWritten } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { gatewayQuery } from "../../serviceErrors.ts"
import {
  AttachmentsTooLargeError,
  EmptyMessageError,
  MessageNotFoundError,
  MessageOnItsWayError,
  OutboxFullError,
  UnknownGatewayError
} from "./outboxErrors.ts"

/** Base64 makes a message's 12 MB of attachments larger by a third. */
const MAX_MESSAGE = ByteSize.megabytes(17)

const params = { id: Schema.String }
const AttachmentIndex = Schema.String.check(Schema.isPattern(/^\d{1,2}$/, { message: "must be a number from 0 to 99" }))
const Ok = Schema.Struct({ ok: Schema.Literal(true) })

/** A message that was taken, or was there before: only the status differs. */
const taken = <const IsNew extends boolean>(isNew: IsNew, status: number) =>
  Schema.Struct({ isNew: Schema.Literal(isNew), item: OutboxItem }).pipe(
    Schema.encodeTo(OutboxItem, { decode: onlyWritten, encode: SchemaGetter.transform(({ item }) => item) }),
    HttpApiSchema.status(status)
  )

/** Messages on their way to agents. */
export class OutboxApi extends HttpApiGroup.make("outbox")
  .add(
    HttpApiEndpoint.get("list", "/api/outbox", {
      query: Schema.Struct({ sessionKey: Schema.optionalKey(Schema.String), ...gatewayQuery }),
      success: OutboxList,
      error: [...TRUST_ERRORS, StoreUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "List the messages on their way to agents, those of one session or all, in their order"
    ),
    HttpApiEndpoint.post("add", "/api/outbox", {
      payload: NewMessage,
      success: [taken(true, 201), taken(false, 200)],
      error: [
        ...TRUST_ERRORS,
        EmptyMessageError,
        UnknownGatewayError,
        AttachmentsTooLargeError,
        OutboxFullError,
        StoreUnavailable,
        StoreFailure
      ]
    })
      .annotate(
        OpenApi.Summary,
        "Send a message: it's kept until the agent's gateway has it; 200 with the stored one if its id is known"
      )
      .annotate(Mark, mark({ rate: ratePresets.writing, bodyLimit: MAX_MESSAGE })),
    HttpApiEndpoint.patch("change", "/api/outbox/:id", {
      params,
      payload: MessageChange,
      success: OutboxItem,
      error: [
        ...TRUST_ERRORS,
        EmptyMessageError,
        MessageNotFoundError,
        MessageOnItsWayError,
        StoreUnavailable,
        StoreFailure
      ]
    }).annotate(OpenApi.Summary, "Change a message that waits or failed, or its place; 409 once it's on its way"),
    HttpApiEndpoint.get("attachment", "/api/outbox/:id/attachments/:index", {
      params: { ...params, index: AttachmentIndex },
      success: HttpApiSchema.StreamUint8Array(),
      error: [...TRUST_ERRORS, MessageNotFoundError, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Get an attachment of a message that's still in the queue"),
    HttpApiEndpoint.delete("remove", "/api/outbox/:id", {
      params,
      success: Ok,
      error: [...TRUST_ERRORS, MessageNotFoundError, MessageOnItsWayError, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Take a message back; 409 once it's on its way"),
    HttpApiEndpoint.post("resolve", "/api/outbox/:id/resolve", {
      params,
      payload: MessageDecision,
      success: Ok,
      error: [...TRUST_ERRORS, MessageNotFoundError, MessageOnItsWayError, StoreUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "Decide about a message that failed or may not have arrived: mark it as sent, send it again, or drop it"
    )
  )
  .annotate(Mark, mark({ rate: ratePresets.writing }))
  .annotate(Right, rights("talk", "talk"))
  .annotate(OpenApi.Title, "Outbox") {}
