import type { Signal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import type { LiveQuery, QueryState } from "../core/operations/LiveQuery.ts"

/** The state of a live query, kept current while the component is shown. */
export const useQuery = <A>(query: LiveQuery<A>): Signal<QueryState<A>> => {
  useBrowserTask$(({ cleanup }) => cleanup(query.open()))
  return useReadable(query.state)
}
