import { Effect } from "effect"
import { keyParts } from "../../contract/qualifiedKey.ts"
import { canonicalKey } from "../../services/gateway/sessions/sessionRules.ts"
import { Search } from "../../services/search/Search.ts"
import { routeHandlers } from "../Api.ts"

const DEFAULT_PAGE = 30

export const SearchHandlers = routeHandlers(
  "search",
  Effect.fn(function* (handlers) {
    const search = yield* Search
    return handlers.handleAll({
      search: ({ query: { kind = [], role = [], limit = DEFAULT_PAGE, sort = "newest", ...query } }) => {
        const named = query.session ? keyParts(query.session) : undefined
        return search.search({
          q: query.q,
          kinds: kind,
          roles: role,
          gatewayId: query.gateway || named?.gatewayId,
          agent: query.agent || undefined,
          session: named && canonicalKey(named.key),
          after: query.after,
          before: query.before,
          sort,
          limit,
          cursor: query.cursor
        })
      },
      index: () => search.index,
      change: ({ payload }) => search.change(payload),
      rebuild: () => search.rebuild,
      remove: () => Effect.as(search.remove, { ok: true as const })
    })
  })
)
