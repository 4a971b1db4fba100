import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { filledText, list, oneOf, wholeNumber } from "../../contract/schema/fields.ts"
import { SearchHit } from "../../contract/schema/search.ts"
import { SEARCH_KINDS } from "../../contract/search.ts"
import { Search } from "../../services/search/Search.ts"
import { ANYWHERE } from "../../services/search/searchTypes.ts"
import { UNTRUSTED } from "./boardResources.ts"
import { explain, ToolFailure } from "./toolFailure.ts"

const DEFAULT_HITS = 10
const MAX_HITS = 30

const optional = Schema.optionalKey
const { kind, sessionKey, messageId, taskId, path, at } = SearchHit.fields

/** A hit as an agent needs it: where it is, and the text around it. */
const Found = Schema.Struct({ kind, at, text: Schema.String, sessionKey, messageId, taskId, path })

export const SearchEverything = Tool.make("search", {
  failure: ToolFailure,
  description:
    'Search conversations, cards, memories, documents and the agent log. All words must occur; "a phrase", -without and prefix* work. The newest come first.',
  parameters: Schema.Struct({
    query: filledText(1_000),
    kinds: optional(list(oneOf(SEARCH_KINDS), 0, SEARCH_KINDS.length)),
    limit: optional(
      wholeNumber(1, MAX_HITS).annotate({ description: `1 to ${MAX_HITS}, ${DEFAULT_HITS} if omitted.` })
    ),
    cursor: optional(filledText(1_000).annotate({ description: "The cursor that came with the previous page." }))
  }),
  success: Schema.Struct({ note: Schema.String, hits: Schema.Array(Found), cursor: optional(Schema.String) })
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

/** The search as a tool. */
export const SearchTools = Toolkit.make(SearchEverything)

export const SearchToolHandlers = SearchTools.toLayer(
  Effect.map(Search, (search) =>
    SearchTools.of({
      search: ({ query, kinds = [], limit = DEFAULT_HITS, cursor }) =>
        search.search({ ...ANYWHERE, q: query, kinds, limit, cursor }).pipe(
          Effect.map(({ hits, cursor: next }) => ({
            note: UNTRUSTED,
            hits: hits.map(({ snippet, gatewayId: _, sessionTitle: __, role: ___, title: ____, ...hit }) => ({
              ...hit,
              text: snippet.map(({ text }) => text).join("")
            })),
            ...(next === undefined ? {} : { cursor: next })
          })),
          explain
        )
    })
  )
)
