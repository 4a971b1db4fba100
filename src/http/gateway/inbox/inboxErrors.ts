import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { InboxItem } from "../../../contract/schema/inbox.ts"
import { InvalidDecision, ItemNotFound, ItemResolved } from "../../../services/inbox/inboxRules.ts"
import { errorBody, onlyWritten } from "../../errorBody.ts"

/** 404 `{error: "not_found"}`. */
export const ItemNotFoundError = errorBody(ItemNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("ITEM_NOT_FOUND")
})

/** 400 for an action the item doesn't offer, or answers that are missing. */
export const InvalidDecisionError = errorBody(InvalidDecision, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})

/** 409 `{error: "already_resolved", item}`. */
export const ItemResolvedError = ItemResolved.pipe(
  Schema.encodeTo(
    Schema.Struct({ error: Schema.Literal("already_resolved"), item: InboxItem }).annotate({
      identifier: "ItemResolved"
    }),
    {
      decode: onlyWritten,
      encode: SchemaGetter.transform(({ item }) => ({ error: "already_resolved" as const, item }))
    }
  ),
  HttpApiSchema.status(409)
)
