import { type Signal, useVisibleTask$ } from "@builder.io/qwik"
import { useReadable } from "../base/useReadable.ts"
import type { LiveQuery, QueryState } from "../core/operations/LiveQuery.ts"

/** The state of a live query, kept current while the component is shown. */
export const useQuery = <A>(query: LiveQuery<A>): Signal<QueryState<A>> => {
  useVisibleTask$(({ cleanup }) => cleanup(query.open()), { strategy: "document-ready" })
  return useReadable(query.state)
}
