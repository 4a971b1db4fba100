import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failure } from "../../contract/failures.ts"
import { oneOf, required } from "../../contract/schema/fields.ts"
import { SearchChoices, SearchIndex, SearchPage } from "../../contract/schema/search.ts"
import { MAX_SEARCH_PAGE, SEARCH_KINDS, SEARCH_ROLES } from "../../contract/search.ts"
import { InvalidSearch, SearchUnavailable, UnknownSearchGateway } from "../../services/search/searchErrors.ts"
import { errorBody } from "../errorBody.ts"
import { digits, listed } from "../queryFields.ts"
import { Right, rights } from "../Right.ts"
import { Mark, mark } from "../RouteMark.ts"
import { StorageFailureError } from "../serviceErrors.ts"

const Query = Schema.Struct({
  q: required(Schema.String),
  kind: Schema.optionalKey(listed(SEARCH_KINDS)),
  gateway: Schema.optionalKey(Schema.String),
  agent: Schema.optionalKey(Schema.String),
  session: Schema.optionalKey(Schema.String),
  role: Schema.optionalKey(listed(SEARCH_ROLES)),
  after: Schema.optionalKey(digits(0)),
  before: Schema.optionalKey(digits(0)),
  sort: Schema.optionalKey(oneOf(["newest", "relevance"])),
  limit: Schema.optionalKey(digits(1, MAX_SEARCH_PAGE)),
  cursor: Schema.optionalKey(Schema.String)
})

const Invalid = errorBody(InvalidSearch, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})
const UnknownGateway = errorBody(UnknownSearchGateway, {
  code: "unknown_gateway",
  status: 404,
  details: () => failure("SEARCH_GATEWAY_NOT_FOUND")
})
const Unavailable = errorBody(SearchUnavailable, {
  code: "search_unavailable",
  status: 503,
  details: (failure) => failure
})

/** Words in everything that's kept. */
export class SearchApi extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("search", "/api/search", {
      query: Query,
      success: SearchPage,
      error: [Invalid, UnknownGateway, Unavailable]
    })
      .annotate(
        OpenApi.Summary,
        'Find words in conversations, cards, memory, documents and the agent log, newest first: all of them, "a phrase", -without, prefix*'
      )
      .annotate(Mark, mark({ access: "command" })),
    HttpApiEndpoint.get("index", "/api/search/index", {
      success: SearchIndex,
      error: [Unavailable, StorageFailureError]
    }).annotate(OpenApi.Summary, "Get the progress, contents and size of the index"),
    HttpApiEndpoint.patch("change", "/api/search/index", {
      payload: SearchChoices,
      success: SearchIndex,
      error: [Unavailable, StorageFailureError]
    }).annotate(OpenApi.Summary, "Choose whether tool output can be found; turning it on rebuilds the index"),
    HttpApiEndpoint.post("rebuild", "/api/search/index/rebuild", {
      success: SearchIndex,
      error: [Unavailable, StorageFailureError]
    }).annotate(OpenApi.Summary, "Delete the index and rebuild it"),
    HttpApiEndpoint.delete("remove", "/api/search/index", {
      success: Schema.Struct({ ok: Schema.Literal(true) }),
      error: Unavailable
    }).annotate(OpenApi.Summary, "Delete the index; the next search or the next start rebuilds it")
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Search") {}
