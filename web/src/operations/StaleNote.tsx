import { component$, type QRL, type Signal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import type { LiveQuery, QueryState } from "../core/operations/LiveQuery.ts"
import { Icon } from "../ui/Icon.tsx"

interface StaleNoteProps {
  /** Why the last request failed. */
  readonly problem: string
  readonly onRetry$: QRL<() => unknown>
}

/** Says that the content may be out of date, and why; the content stays. While nothing is connected, the banner says so. */
export const StaleNote = component$<StaleNoteProps>((props) => {
  const app = useServices()
  const link = useReadable(app.client.link.state)
  if (link.value.phase !== "ready") return null
  return (
    <div class="row wrap gap-3 small stale-note" role="status">
      <Icon name="triangle-alert" />
      <p>{say("This may be out of date. {problem}", { problem: props.problem })}</p>
      <button type="button" class="button is-small" onClick$={() => props.onRetry$()}>
        {say("Try again")}
      </button>
    </div>
  )
})

/** The state of a live query, kept current while the component is shown. */
export function useQuery<A>(query: LiveQuery<A>): Signal<QueryState<A>> {
  useBrowserTask$(({ cleanup }) => cleanup(query.open()))
  return useReadable(query.state)
}
