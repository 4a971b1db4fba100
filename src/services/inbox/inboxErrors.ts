import { Schema } from "effect"
import { failureFields } from "../../contract/schema/failure.ts"
import { InboxItem } from "../../contract/schema/inbox.ts"

/** No item has this id. */
export class ItemNotFound extends Schema.TaggedError<ItemNotFound>()("ItemNotFound", { id: Schema.String }) {}

/** Somebody was faster, or time was up; `item` says how it ended. */
export class ItemResolved extends Schema.TaggedError<ItemResolved>()("ItemResolved", { item: InboxItem }) {}

/** A decision that the item doesn't offer, or that is incomplete; `message` is `<field>: <message>`. */
export class InvalidDecision extends Schema.TaggedError<InvalidDecision>()("InvalidDecision", failureFields) {}

/** The agent has asked as much as it may before the first is answered. */
export class TooManyQuestions extends Schema.TaggedError<TooManyQuestions>()("TooManyQuestions", {}) {}
