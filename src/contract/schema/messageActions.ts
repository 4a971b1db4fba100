import { Schema } from "effect"
import { failure } from "../failures.ts"
import { MAX_MESSAGE } from "../outbox.ts"
import { ConversationItem } from "./conversation.ts"
import { maybe, required, text } from "./fields.ts"
import { OutboxItem, Uuid } from "./outbox.ts"
import { SessionKey } from "./session.ts"

const request = { id: required(Uuid), sessionKey: required(SessionKey) }

/** Body of `POST /api/sessions/ask-again`: a message by its key in the conversation or by its id in the history. */
export const AskAgain = Schema.Struct({
  ...request,
  key: maybe(Schema.NonEmptyString),
  messageId: maybe(Schema.NonEmptyString),
  /** Other words for it. */
  text: maybe(text(MAX_MESSAGE))
})
  .annotate(failure("MUST_BE_A_JSON_OBJECT"))
  .check(
    Schema.makeFilter(({ key, messageId }) =>
      (key === undefined) === (messageId === undefined)
        ? { path: ["key"], issue: "either key or messageId is required" }
        : undefined
    )
  )
export type AskAgain = typeof AskAgain.Type

/** Body of `POST /api/sessions/regenerate`. */
export const Regenerate = Schema.Struct(request).annotate(failure("MUST_BE_A_JSON_OBJECT"))
export type Regenerate = typeof Regenerate.Type

/** A question that is asked again: its message, whose id is the request's. */
export const AskedAgain = Schema.Struct({
  item: OutboxItem,
  /** What the gateway removed and keeps in no version. */
  removed: maybe(Schema.Array(ConversationItem))
}).annotate({ identifier: "AskedAgain" })
export type AskedAgain = typeof AskedAgain.Type

/** Body of `POST /api/sessions/version`; `leaf` is one of the conversation's `tips`. */
export const VersionChoice = Schema.Struct({ sessionKey: required(SessionKey), leaf: required(Schema.NonEmptyString) })
export type VersionChoice = typeof VersionChoice.Type
