import { Schema } from "effect"
import { MAX_MESSAGE } from "../../contract/outbox.ts"
import { body, filledText, maybe, required, text, wholeNumber } from "../../contract/schema/fields.ts"

const MAX_KEY = 500
const MAX_DEVICE = 100

const Draft = Schema.Struct({
  sessionKey: Schema.String,
  text: Schema.String,
  updatedAt: Schema.Int,
  deviceId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Draft" })

/** Answer of `GET /api/drafts`. */
export const DraftState = Schema.Struct({
  draft: Schema.NullOr(Draft),
  updatedAt: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "DraftState" })
export type DraftState = typeof DraftState.Type

/** The session of a requested draft. */
export const DraftQuery = Schema.Struct({ sessionKey: required(filledText(MAX_KEY)) })

/** Body of `PUT /api/drafts`. */
export const NewDraft = body({
  sessionKey: required(filledText(MAX_KEY)),
  text: required(text(MAX_MESSAGE)),
  deviceId: maybe(filledText(MAX_DEVICE)),
  /** The number of a device's write, so that a late one doesn't replace a newer one. */
  count: maybe(wholeNumber(0))
})
export type NewDraft = typeof NewDraft.Type
