import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { ConversationItem, NumberedConversation, OlderItems } from "../../../contract/schema/conversation.ts"
import { Done, required } from "../../../contract/schema/fields.ts"
import { AskAgain, AskedAgain, Regenerate, VersionChoice } from "../../../contract/schema/messageActions.ts"
import { SessionKey } from "../../../contract/schema/session.ts"
import { ratePresets } from "../../../services/access/ratelimit/attemptStore.ts"
import {
  NothingToRegenerate,
  NoVersions,
  QuestionNotFound,
  ResponseRunning
} from "../../../services/conversations/ConversationCommands.ts"
import { MessageTooLong } from "../../../services/conversations/historyReading.ts"
import { DamagedCursor } from "../../../services/sessions/SessionLists.ts"
import { StoreFailure, StoreUnavailable } from "../../board/boardErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { digits } from "../../queryFields.ts"
import { Right, rights } from "../../Right.ts"
import { Mark, mark } from "../../RouteMark.ts"
import { GatewayFailure, UnknownGatewayError } from "../../serviceErrors.ts"
import { AttachmentsTooLargeError, EmptyMessageError, OutboxFullError } from "../outbox/outboxErrors.ts"

/** Messages of one page of older ones. */
const MOST = 200

/** The gateway no longer has the message. */
export class MessageGone extends Schema.TaggedError<MessageGone>()("MessageGone", {}) {}

const Damaged = errorBody(DamagedCursor, {
  code: "validation_error",
  status: 400,
  details: () => failure("BAD_CURSOR", { field: "before" })
})

const Gone = errorBody(MessageGone, {
  code: "not_found",
  status: 404,
  details: () => failure("MESSAGE_NOT_STORED")
})

const TooLong = errorBody(MessageTooLong, {
  code: "too_long",
  status: 413,
  details: () => failure("MESSAGE_TOO_LONG")
})

const Running = errorBody(ResponseRunning, {
  code: "running",
  status: 409,
  details: () => failure("RESPONSE_RUNNING")
})

const NoQuestion = errorBody(QuestionNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("MESSAGE_NOT_HERE")
})

const Nothing = errorBody(NothingToRegenerate, {
  code: "nothing_to_regenerate",
  status: 409,
  details: (nothing) => nothing
})

const Unsupported = errorBody(NoVersions, {
  code: "not_supported",
  status: 409,
  details: () => failure("VERSIONS_UNSUPPORTED")
})

/** Why a question can't be asked again. */
const ASKING_ERRORS = [
  ...TRUST_ERRORS,
  Running,
  NoQuestion,
  TooLong,
  EmptyMessageError,
  AttachmentsTooLargeError,
  OutboxFullError,
  UnknownGatewayError,
  GatewayFailure,
  StoreUnavailable,
  StoreFailure
] as const

const session = { sessionKey: required(SessionKey) }
const often = mark({ rate: ratePresets.writing })

/** What was said and done in a session. */
export class ConversationsApi extends HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("read", "/api/sessions/conversation", {
      query: session,
      success: NumberedConversation,
      error: [...TRUST_ERRORS, UnknownGatewayError, GatewayFailure]
    })
      .annotate(Mark, often)
      .annotate(
        OpenApi.Summary,
        "Get a session's conversation as the topic conversation of /api/live shows it, with its last 100 messages"
      ),
    HttpApiEndpoint.get("older", "/api/sessions/messages", {
      query: { ...session, before: Schema.String, limit: Schema.optionalKey(digits(1, MOST)) },
      success: OlderItems,
      error: [...TRUST_ERRORS, Damaged, UnknownGatewayError, GatewayFailure]
    })
      .annotate(Mark, often)
      .annotate(OpenApi.Summary, "Get what comes before a conversation's cursor older"),
    HttpApiEndpoint.get("message", "/api/sessions/message", {
      query: { ...session, id: Schema.String },
      success: Schema.Struct({ items: Schema.Array(ConversationItem) }),
      error: [...TRUST_ERRORS, Gone, TooLong, UnknownGatewayError, GatewayFailure]
    }).annotate(OpenApi.Summary, "Get all of a message of which the conversation only has the beginning"),
    HttpApiEndpoint.post("askAgain", "/api/sessions/ask-again", {
      payload: AskAgain,
      success: AskedAgain,
      error: ASKING_ERRORS
    }).annotate(
      OpenApi.Summary,
      "Ask a question again, in other words if text is given: a gateway that can removes it and what followed, otherwise it's repeated at the end; a repeated id gets the first answer"
    ),
    HttpApiEndpoint.post("regenerate", "/api/sessions/regenerate", {
      payload: Regenerate,
      success: AskedAgain,
      error: [...ASKING_ERRORS, Nothing]
    }).annotate(OpenApi.Summary, "Ask for another response to the last question; a repeated id gets the first answer"),
    HttpApiEndpoint.post("version", "/api/sessions/version", {
      payload: VersionChoice,
      success: Done,
      error: [...TRUST_ERRORS, Unsupported, UnknownGatewayError, GatewayFailure]
    })
      .annotate(Right, "manage")
      .annotate(OpenApi.Summary, "Go on with another version of a conversation, by the leaf of one of its tips")
  )
  .annotate(Right, rights("read", "talk"))
  .annotate(OpenApi.Title, "Conversations") {}
