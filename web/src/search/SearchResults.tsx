import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import { gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { groupHits } from "../core/search/groupHits.ts"
import { searchOf } from "../core/search/searchOf.ts"
import { nothingFoundText } from "../core/search/searchText.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { useNow } from "../ui/useNow.ts"
import { HitLink } from "./HitLink.tsx"
import { RecentSearches } from "./RecentSearches.tsx"

/** What a search found, by conversation and place; more of it loads near the end. */
export const SearchResults = component$<{ readonly onChoose$: QRL<(text: string) => void> }>((props) => {
  const app = useServices()
  const { store } = useConstant(() => searchOf(app.client))
  const state = useReadable(store.state)
  const rows = useSelected(app.client.sessions.state, (sessions) => sessions.rows)
  const gateways = useReadable(app.client.gateways)
  const now = useNow(60_000)
  const end = useSignal<HTMLElement>()

  useBrowserTask$(({ track, cleanup }) => {
    const button = track(end)
    track(() => state.value.hits)
    if (button === undefined || !button.isConnected) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        // After a failure only the button tries again.
        if (entry?.isIntersecting === true && store.state.get().problem === null) void store.more()
      },
      { root: button.closest(".screen-body"), rootMargin: "0px 0px 400px 0px" }
    )
    observer.observe(button)
    cleanup(() => observer.disconnect())
  })

  const { status, hits, text, problem, cursor, isLoadingMore } = state.value
  const retry = $(() => store.retry())
  if (status === "idle" && text.trim() === "") return <RecentSearches onChoose$={props.onChoose$} />
  if (status === "failed") return <ErrorState title={say("Couldn't search")} text={problem ?? ""} onRetry$={retry} />
  if (status === "ready" && hits.length === 0)
    return <EmptyState icon="search" title={say("Nothing found")} text={nothingFoundText(state.value)} />
  if (status === "loading" && hits.length === 0)
    return (
      <div class="stack gap-5 search-waiting" aria-hidden="true">
        {[1, 2, 3].map((row) => (
          <div key={row} class="search-waiting-hit" />
        ))}
      </div>
    )
  const titles = new Map(
    rows.value.map(({ key, title }) => {
      const mark = markOf(gateways.value, gatewayOfKey(key))
      return [key, mark === null ? title : `${title} (${mark.name})`]
    })
  )
  const groups = groupHits(hits, (key) => titles.get(key) ?? null)
  return (
    <div class="stack gap-5">
      {groups.map((group) => {
        const { key, title } = group
        return (
          <section key={key} class="search-group" aria-label={title}>
            <h2>{title}</h2>
            <ul class="plain-list">
              {group.hits.map((found) => {
                const { id } = found
                return (
                  <li key={id}>
                    <HitLink found={found} now={now.value} />
                  </li>
                )
              })}
            </ul>
          </section>
        )
      })}
      {cursor !== null && (
        <div ref={end} class="stack gap-2 search-more">
          {problem !== null && <p role="alert">{problem}</p>}
          <button type="button" class="button" disabled={isLoadingMore} onClick$={() => store.more()}>
            {isLoadingMore ? say("Loading…") : say("More results")}
          </button>
        </div>
      )}
    </div>
  )
})
