import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import type { SearchRole } from "../../../src/contract/search.ts"
import squareKanban from "../../icons/square-kanban.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import { clockTime } from "../core/common/timeText.ts"
import { gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { type FoundHit, groupHits } from "../core/search/groupHits.ts"
import { hitName, hitTexts, isOfDay } from "../core/search/hitTexts.ts"
import { meantSearches } from "../core/search/meantSearches.ts"
import type { SearchHit } from "../core/search/SearchStore.ts"
import { searchOf } from "../core/search/searchOf.ts"
import { nothingFoundText } from "../core/search/searchText.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { useNow } from "../ui/useNow.ts"
import { HIT_ICONS, hitPath } from "./hitPath.ts"
import "../ui/fold.css"

const EXAMPLES = [
  { words: say('"exact phrase"'), means: say("these words together") },
  { words: "deploy*", means: say("words that start like this") },
  { words: "error -timeout", means: say("without a word") },
  { words: "from:me", means: say("what you wrote; from:agent and from:tool, too") },
  { words: "tool:timeout", means: say("a word in what tools returned") },
  { words: "kind:card", means: say("one kind: message, card, memory, document, log") },
  { words: "after:2026-11-01 before:today", means: say("a time; 7d is seven days ago") },
  { words: "agent:main session:…", means: say("one agent, one conversation") }
]

/** What was searched for lately, and how to write a search. */
const RecentSearches = component$<{ readonly onChoose$: QRL<(text: string) => void> }>((props) => {
  const app = useServices()
  const search = searchOf(app.client)
  const recent = useReadable(search.recent)
  useCommands(() => [
    {
      id: "search.forget",
      label: say("Clear the recent searches"),
      group: say("Search"),
      when: () => search.recent.get().length > 0,
      run: () => search.forget()
    },
    ...search.recent.get().map((text) => ({
      id: `search.again ${text}`,
      label: say("Search for “{words}” again", { words: text }),
      group: say("Search"),
      run: () => props.onChoose$(text)
    }))
  ])
  return (
    <>
      {recent.value.length > 0 && (
        <section class="search-recent" aria-labelledby="recent-searches">
          <div class="row space-between gap-3">
            <h2 class="soft small strong break-words" id="recent-searches">
              {say("Recent searches")}
            </h2>
            <button type="button" class="button is-small" onClick$={() => searchOf(app.client).forget()}>
              {say("Clear")}
            </button>
          </div>
          <ul class="plain-list">
            {recent.value.map((text) => (
              <li key={text}>
                <button
                  type="button"
                  class="row bare hoverable gap-3 search-again"
                  onClick$={() => props.onChoose$(text)}
                >
                  <Icon name="clock" />
                  <span class="can-shrink break-words">{text}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.value.length === 0 && (
        <p class="soft">{say("Conversations, cards, memory, documents and the agent log.")}</p>
      )}
      <details class="search-help fold">
        <summary>{say("How to write a search")}</summary>
        <dl class="stack gap-2 soft small search-examples">
          {EXAMPLES.map(({ words, means }) => (
            <div key={words}>
              <dt>
                <code class="mono break-words">{words}</code>
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
})

const WRITERS: Readonly<Record<SearchRole, string>> = { user: say("You"), assistant: say("Agent"), tool: say("Tool") }

/** Who wrote a message, and what else was found where. */
const labelOf = (hit: SearchHit, now: number): string => {
  const { agent, kind, role } = hit
  if (role !== null) return WRITERS[role]
  if (kind === "task") return say("Card")
  return [agent, hitName(hit, now)].filter((part) => part !== null).join(" · ")
}

const Parts = component$<{ readonly parts: SearchHit["snippet"] }>((props) => (
  <>
    {props.parts.map((part, index) =>
      part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>
    )}
  </>
))

interface HitLinkProps {
  readonly found: FoundHit
  readonly now: number
}

/** A hit: who wrote it or what it is called, when, and the words around what was found. */
const HitLink = component$<HitLinkProps>((props) => {
  const { id, hit } = props.found
  const { at } = hit
  const path = hitPath(hit)
  const { title, text } = hitTexts(hit)
  const icon = HIT_ICONS[hit.kind]
  /** A log entry has no name, so its text is shown instead. */
  const isNameless = hit.kind === "log"
  const opened = path === null ? {} : { href: path, "data-hit": id }
  return (
    <a class="hit" {...opened}>
      {/* The board's own sign is three thin lines, which among words look like none. */}
      {hit.kind === "task" ? <LineIcon shapes={squareKanban} /> : <Icon name={icon} />}
      <span class="flex space-between gap-3 soft hit-head">
        {isNameless && (
          <span class="soft break-words hit-text">
            <Parts parts={text} />
          </span>
        )}
        {!isNameless && title === null && (
          <span class="can-shrink break-words hit-writer">{labelOf(hit, props.now)}</span>
        )}
        {title !== null && (
          <strong class="can-shrink break-words hit-title">
            <Parts parts={title} />
          </strong>
        )}
        {at > 0 && !isOfDay(hit) && (
          <TimeMark class="no-shrink push-end tiny tabular" at={at} text={clockTime(at, props.now)} />
        )}
      </span>
      {!isNameless && text.length > 0 && (
        <span class="soft break-words hit-text">
          <Parts parts={text} />
        </span>
      )}
    </a>
  )
})

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

  const { status, hits, text, problem, cursor, isLoadingMore, nearest } = state.value
  const meant = meantSearches(text, nearest)
  const retry = $(() => store.retry())
  if (status === "idle" && text.trim() === "") return <RecentSearches onChoose$={props.onChoose$} />
  if (status === "failed") return <ErrorState title={say("Couldn't search")} text={problem ?? ""} onRetry$={retry} />
  if (status === "ready" && hits.length === 0)
    return (
      <EmptyState icon="search" title={say("Nothing found")} text={nothingFoundText(state.value)}>
        {meant.length > 0 && (
          <div class="row wrap gap-2 search-meant" role="group" aria-label={say("Did you mean")}>
            <span class="soft">{say("Did you mean")}</span>
            {meant.map((words) => (
              <button key={words} type="button" class="button is-small" onClick$={() => props.onChoose$(words)}>
                {words}
              </button>
            ))}
          </div>
        )}
      </EmptyState>
    )
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
            <h2 class="soft small strong truncate">{title}</h2>
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
