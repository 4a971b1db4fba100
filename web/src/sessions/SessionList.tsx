import { $, component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { createSession } from "../app/createSession.ts"
import { addressedSession } from "../app/routes.ts"
import { useReadable } from "../app/useReadable.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { SessionLink } from "./SessionLink.tsx"
import { SessionToolsPlace } from "./SessionToolsPlace.tsx"
import { onSessionKey } from "./sessionKeys.ts"
import { type SessionEntry, sessionEntries } from "./sessionPresentation.ts"
import { sessionRequest } from "./sessionRequest.ts"
import "./sessions.css"

/** From this many sessions on the list offers a filter. */
const FILTER_FROM = 7
/** Families that are drawn at first, and that each request adds. */
const STEP = 60

interface ListEntryProps {
  readonly entry: SessionEntry
  readonly current: boolean
  readonly now: number
  readonly onToggle$: QRL<(key: string) => void>
}

const ListEntry = component$<ListEntryProps>((props) => {
  const entry = props.entry
  const depth = entry.kind === "agent" ? 0 : entry.depth
  if (entry.kind === "agent") return <h3 class="session-agent">{entry.name}</h3>
  if (entry.kind === "session") {
    const { row } = entry
    return <SessionLink row={row} depth={depth} current={props.current} now={props.now} />
  }
  return (
    <button
      type="button"
      class={["session-rest", `depth-${depth}`]}
      aria-expanded={entry.hidden === 0 ? "true" : "false"}
      onClick$={() => props.onToggle$(entry.parentKey)}
    >
      {entry.hidden === 0 ? "Show fewer" : `Show ${entry.hidden} more`}
    </button>
  )
})

/** The sessions of the gateway, newest family first. */
export const SessionList = component$(() => {
  const app = useServices()
  const sessions = useReadable(app.console.sessions.state, { perFrame: true })
  const activeKey = useReadable(app.console.sessions.activeKey)
  const location = useReadable(app.router.location)
  // Other screens leave a session open behind them, but it is not where the person is.
  const shownKey = addressedSession(location.value) === undefined ? null : activeKey.value
  const approvals = useReadable(app.console.approvals.open)
  const now = useNow(30_000)
  const query = useSignal("")
  const limit = useSignal(STEP)
  const opened = useSignal<ReadonlySet<string>>(new Set())
  const creating = useSignal(false)
  const list = useSignal<HTMLElement>()

  useVisibleTask$(
    ({ cleanup }) => {
      const element = list.value
      if (element === undefined) return
      const onKey = (event: KeyboardEvent) => onSessionKey(app, element, event)
      element.addEventListener("keydown", onKey)
      cleanup(() => element.removeEventListener("keydown", onKey))
    },
    { strategy: "document-ready" }
  )

  const create = $(async () => {
    creating.value = true
    await createSession(app)
    creating.value = false
  })
  const toggle = $((key: string) => {
    const next = new Set(opened.value)
    if (!next.delete(key)) next.add(key)
    opened.value = next
  })
  const more = $(async () => {
    limit.value += STEP
    if (sessions.value.hasMore && limit.value > sessions.value.rows.length) await app.console.sessions.readMore()
  })

  const state = sessions.value
  const entries = sessionEntries(state.tree, {
    query: query.value,
    opened: opened.value,
    activeKey: activeKey.value,
    limit: limit.value
  })
  const hasRest = query.value === "" && (state.tree.length > limit.value || state.hasMore)
  return (
    <nav class="sessions" aria-label="Sessions" ref={list}>
      <div class="sessions-head">
        <h2>Sessions</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Options for a new one"
          title="Begin with a name, an agent or a model of choice"
          onClick$={() => sessionRequest.set({ kind: "new" })}
        >
          <Icon name="sliders" />
        </button>
        <button type="button" class="button is-small" onClick$={create} disabled={creating.value}>
          <Icon name="plus" />
          <span>New session</span>
        </button>
      </div>
      {approvals.value.length > 0 && (
        <button type="button" class="button sessions-inbox" onClick$={() => sessionRequest.set({ kind: "inbox" })}>
          <Icon name="shield" />
          <span>
            {approvals.value.length === 1
              ? "1 request waits for you"
              : `${approvals.value.length} requests wait for you`}
          </span>
        </button>
      )}
      {(state.rows.length >= FILTER_FROM || query.value !== "") && (
        <input
          class="field sessions-filter"
          type="search"
          placeholder="Filter sessions"
          aria-label="Filter sessions"
          bind:value={query}
        />
      )}
      <div class="sessions-scroll">
        {state.status === "loading" && state.rows.length === 0 && (
          <p class="sessions-note">
            <span class="spinner" aria-hidden="true" />
            <span>Loading sessions…</span>
          </p>
        )}
        {state.status === "failed" && (
          <div class="sessions-note is-error">
            <p>{state.message ?? "The sessions could not be read."}</p>
            <button type="button" class="button is-small" onClick$={() => app.console.sessions.refresh()}>
              Try again
            </button>
          </div>
        )}
        <ul class="plain-list">
          {entries.map((entry) => (
            <li key={entry.key}>
              <ListEntry entry={entry} current={entry.key === shownKey} now={now.value} onToggle$={toggle} />
            </li>
          ))}
        </ul>
        {query.value !== "" && entries.length === 0 && (
          <p class="sessions-note">No session has these words in its name.</p>
        )}
        {query.value !== "" && state.hasMore && (
          <button type="button" class="button is-small sessions-older" onClick$={() => app.console.sessions.readMore()}>
            Look further back
          </button>
        )}
        {hasRest && (
          <button type="button" class="button is-small sessions-older" onClick$={more}>
            Show older sessions
          </button>
        )}
      </div>
      <SessionToolsPlace />
    </nav>
  )
})
