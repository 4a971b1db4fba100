import { Schema } from "effect"
import { failure } from "../failures.ts"
import { MAX_ATTACHMENTS, MAX_MESSAGE, MAX_WAITING, OUTBOX_DECISIONS, OUTBOX_MODES, OUTBOX_STATES } from "../outbox.ts"
import { HeldBy } from "./budget.ts"
import { Why } from "./failure.ts"
import { body, clearable, epochMillis, filledText, list, maybe, oneOf, required, text, wholeNumber } from "./fields.ts"

const MAX_KEY = 500
const MAX_NAME = 255
const MAX_TYPE = 127

const OutboxAttachment = Schema.Struct({ name: Schema.String, type: Schema.String, size: Schema.Int })

/** A message on its way to an agent. */
export const OutboxItem = Schema.Struct({
  id: Schema.String,
  gatewayId: Schema.String,
  sessionKey: Schema.String,
  text: Schema.String,
  attachments: Schema.optionalKey(Schema.Array(OutboxAttachment)),
  mode: Schema.Literals(OUTBOX_MODES),
  position: Schema.Int,
  notBefore: Schema.optionalKey(Schema.Finite),
  createdAt: Schema.Finite,
  state: Schema.Literals(OUTBOX_STATES),
  runId: Schema.String,
  /** What keeps a waiting message from being sent. */
  held: Schema.optionalKey(HeldBy),
  error: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why)
}).annotate({ identifier: "OutboxItem" })
export type OutboxItem = typeof OutboxItem.Type

/** How a message stands, without what is in it. */
export const OutboxStanding = Schema.Struct({
  id: Schema.String,
  mode: Schema.Literals(OUTBOX_MODES),
  notBefore: Schema.optionalKey(Schema.Finite),
  state: Schema.Literals(OUTBOX_STATES),
  runId: Schema.String,
  held: Schema.optionalKey(HeldBy),
  error: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Why)
})

export type OutboxStanding = typeof OutboxStanding.Type

/** Data of `outbox.changed`; without items if the words of one were changed, or if there are many. */
export const OutboxChange = Schema.Struct({
  gatewayId: Schema.String,
  sessionKey: Schema.String,
  items: Schema.optionalKey(Schema.Array(OutboxStanding))
})
export type OutboxChange = typeof OutboxChange.Type

export const OutboxList = Schema.Struct({ items: Schema.Array(OutboxItem) }).annotate({ identifier: "OutboxList" })
export type OutboxList = typeof OutboxList.Type

export const Uuid = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    message: "must be a UUID in lower case"
  })
)

const MediaType = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter((value: string) => value.length <= MAX_TYPE && /^[\w.+-]+\/[\w.+-]+$/.test(value), {
    message: "must be a media type such as image/png"
  })
)

const Base64 = Schema.String.annotate(failure("MUST_BE_TEXT")).check(
  Schema.makeFilter((value: string) => value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value), {
    message: "must be Base64"
  })
)

const NewAttachment = body({
  name: required(filledText(MAX_NAME)),
  type: required(MediaType),
  data: required(Base64)
})
export type NewAttachment = typeof NewAttachment.Type

const setting = (max: number) => clearable(filledText(max), { message: `must be 1 to ${max} characters, or null` })

/** What a session is set to before a message of it; `null` restores the default. */
export const SessionBegin = body({ label: setting(200), model: setting(200), thinking: setting(50) })
export type SessionBegin = typeof SessionBegin.Type

/** Body of `POST /api/outbox`. */
export const NewMessage = body({
  id: required(Uuid),
  gatewayId: maybe(filledText(64)),
  sessionKey: required(filledText(MAX_KEY)),
  text: required(text(MAX_MESSAGE)),
  attachments: maybe(list(NewAttachment, 0, MAX_ATTACHMENTS)),
  mode: required(oneOf(OUTBOX_MODES)),
  notBefore: maybe(epochMillis),
  /** Set at the gateway before the message is sent, all of it again with each try; the message waits until then. */
  begin: maybe(SessionBegin)
})
export type NewMessage = typeof NewMessage.Type

/** Body of `PATCH /api/outbox/:id`. */
export const MessageChange = body({
  text: maybe(text(MAX_MESSAGE)),
  mode: maybe(oneOf(OUTBOX_MODES)),
  position: maybe(wholeNumber(0, MAX_WAITING * 2)),
  notBefore: clearable(epochMillis, { message: "must be a time in epoch milliseconds, or null" })
})
export type MessageChange = typeof MessageChange.Type

/** Body of `POST /api/outbox/:id/resolve`. */
export const MessageDecision = body({ action: required(oneOf(OUTBOX_DECISIONS)) })
export type MessageDecision = typeof MessageDecision.Type
