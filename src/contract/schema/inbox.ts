import { Schema } from "effect"
import { failure } from "../failures.ts"
import { INBOX_KINDS, MAX_ANSWER } from "../inbox.ts"
import { Why } from "./failure.ts"
import { body, filledText, list, maybe, oneOf, required } from "./fields.ts"

export const InboxKind = oneOf(INBOX_KINDS)
export type InboxKind = typeof InboxKind.Type

const InboxSecretPlace = Schema.Struct({
  name: Schema.String,
  reason: Schema.optionalKey(Schema.String),
  hosts: Schema.Array(Schema.String),
  replaces: Schema.Boolean
})

export type InboxSecretPlace = typeof InboxSecretPlace.Type

export const InboxQuestion = Schema.Struct({
  id: Schema.String,
  header: Schema.optionalKey(Schema.String),
  text: Schema.String,
  url: Schema.optionalKey(Schema.String),
  options: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ id: Schema.String, label: Schema.String, description: Schema.optionalKey(Schema.String) })
    )
  ),
  multiple: Schema.Boolean,
  freeText: Schema.Boolean,
  secret: Schema.optionalKey(Schema.Boolean),
  store: Schema.optionalKey(InboxSecretPlace)
})
export type InboxQuestion = typeof InboxQuestion.Type

export const InboxAction = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  needs: Schema.optionalKey(Schema.Literals(["text", "answers"]))
})
export type InboxAction = typeof InboxAction.Type

export const RESOLVERS = ["console", "elsewhere", "timeout"] as const

export const InboxResolution = Schema.Struct({
  action: Schema.String,
  at: Schema.Finite,
  by: Schema.Literals(RESOLVERS),
  answer: Schema.optionalKey(Schema.String)
})
export type InboxResolution = typeof InboxResolution.Type

export const ITEM_STATES = ["open", "resolved", "expired"] as const

/** Something that needs a person, or did. */
export const InboxItem = Schema.Struct({
  id: Schema.String,
  gatewayId: Schema.String,
  kind: InboxKind,
  title: Schema.String,
  /** Of a `title` that is a sentence of the console. */
  titleWhy: Schema.optionalKey(Why),
  detail: Schema.optionalKey(Schema.String),
  /** Of a `detail` that says why a run failed, what a budget holds, or what blocks a card. */
  why: Schema.optionalKey(Why),
  sessionKey: Schema.optionalKey(Schema.String),
  taskId: Schema.optionalKey(Schema.String),
  createdAt: Schema.Finite,
  expiresAt: Schema.optionalKey(Schema.Finite),
  state: Schema.Literals(ITEM_STATES),
  questions: Schema.optionalKey(Schema.Array(InboxQuestion)),
  actions: Schema.Array(InboxAction),
  resolution: Schema.optionalKey(InboxResolution)
}).annotate({ identifier: "InboxItem" })
export type InboxItem = typeof InboxItem.Type

/** Data of `inbox.changed`. */
export const InboxChange = Schema.Struct({
  action: Schema.Literals(["opened", "resolved", "expired"]),
  item: InboxItem
})
export type InboxChange = typeof InboxChange.Type

/** One page of the inbox. */
export const InboxPage = Schema.Struct({
  items: Schema.Array(InboxItem),
  total: Schema.Int,
  open: Schema.Int
}).annotate({ identifier: "InboxPage" })
export type InboxPage = typeof InboxPage.Type

/** Which items to list. */
export interface InboxQuery {
  /** `resolved` is everything that isn't open. */
  readonly state: "open" | "resolved" | undefined
  /** Empty means every kind. */
  readonly kinds: ReadonlyArray<InboxKind>
  readonly limit: number
  readonly offset: number
}

/** What a person gives to one part of a question. */
const InboxAnswer = body({
  options: maybe(list(filledText(500), 0, 100)),
  text: maybe(filledText(MAX_ANSWER))
})

/** Body of `POST /api/inbox/:id/resolve`. */
export const InboxDecision = body({
  action: required(filledText(100)),
  text: maybe(filledText(MAX_ANSWER)),
  answers: maybe(Schema.Record(Schema.String, InboxAnswer).annotate(failure("MUST_BE_A_JSON_OBJECT")))
})
export type InboxDecision = typeof InboxDecision.Type
