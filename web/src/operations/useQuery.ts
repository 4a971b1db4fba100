import { type Signal, useVisibleTask$ } from "@builder.io/qwik"
import { useReadable } from "../app/useReadable.ts"
import type { LiveQuery, QueryState } from "../core/operations/LiveQuery.ts"

/** The state of a live question, which is kept in step while the component is shown. */
export const useQuery = <A>(query: LiveQuery<A>): Signal<QueryState<A>> => {
  useVisibleTask$(({ cleanup }) => cleanup(query.open()), { strategy: "document-ready" })
  return useReadable(query.state)
}
