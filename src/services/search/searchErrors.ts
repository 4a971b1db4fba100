import { Schema } from "effect"
import { failureFields } from "../../contract/schema/failure.ts"

/** The index can't be used right now; `message` is for people. */
export class SearchUnavailable extends Schema.TaggedError<SearchUnavailable>()("SearchUnavailable", failureFields) {}

/** There's no gateway with that id. */
export class UnknownSearchGateway extends Schema.TaggedError<UnknownSearchGateway>()("UnknownSearchGateway", {}) {}

/** The request can't be answered as it is. */
export class InvalidSearch extends Schema.TaggedError<InvalidSearch>()("InvalidSearch", failureFields) {}
