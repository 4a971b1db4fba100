import { $, component$, type QRL, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { createSession } from "../base/createSession.ts"
import { addressedSession } from "../base/routes.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import { useReadable } from "../base/useReadable.ts"
import { waitingNote } from "../connection/connectionText.ts"
import { type GatewayMark, gatewayOfKey, markOf } from "../core/gateways/gatewayMark.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { SessionLink } from "./SessionLink.tsx"
import { SessionToolsPlace } from "./SessionToolsPlace.tsx"
import { onSessionKey } from "./sessionKeys.ts"
import { type SessionEntry, sessionEntries } from "./sessionPresentation.ts"
import "./sessions.css"

/** Families drawn at first, and added by each request. */
const STEP = 60

interface ListEntryProps {
  readonly entry: SessionEntry
  readonly current: boolean
  readonly now: number
  readonly onToggle$: QRL<(key: string) => void>
  readonly mark: GatewayMark | null
}

const ListEntry = component$<ListEntryProps>((props) => {
  const entry = props.entry
  if (entry.kind === "heading") return <h3 class="session-heading">{entry.name}</h3>
  const { depth } = entry
  if (entry.kind === "session") {
    const { row } = entry
    return <SessionLink row={row} depth={depth} current={props.current} now={props.now} mark={props.mark} />
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

/** The sessions of every gateway, newest family first below the main conversation. */
export const SessionList = component$(() => {
  const app = useServices()
  const sessions = useReadable(app.client.sessions.state, { perFrame: true })
  const activeKey = useReadable(app.client.sessions.activeKey)
  const location = useReadable(app.router.location)
  // Other screens keep a session selected, but it isn't the one being looked at.
  const shownKey = addressedSession(location.value) === undefined ? null : activeKey.value
  const link = useReadable(app.client.link.state)
  const server = useReadable(app.client.gatewayStatus)
  const gateways = useReadable(app.client.gateways)
  const settings = useReadable(app.client.settings.state)
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
      const onKey = (event: KeyboardEvent) => {
        const filter = event.target instanceof HTMLInputElement ? event.target : null
        if (event.key !== "Escape" || filter === null) return onSessionKey(app, element, event)
        event.preventDefault()
        if (query.value === "") filter.blur()
        else query.value = ""
      }
      element.addEventListener("keydown", onKey)
      cleanup(() => element.removeEventListener("keydown", onKey))
    },
    { strategy: "document-ready" }
  )

  useVisibleTask$(
    ({ track }) => {
      const words = track(query)
      const shown = track(limit)
      app.client.sessions.wantTitles(words === "" ? shown : Number.POSITIVE_INFINITY)
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
    if (sessions.value.hasMore && limit.value > sessions.value.rows.length) await app.client.sessions.readMore()
  })

  const state = sessions.value
  const isEmpty = state.status === "loading" && state.rows.length === 0
  const missing = waitingNote(link.value, server.value)
  const entries = sessionEntries(state.tree, {
    query: query.value,
    opened: opened.value,
    activeKey: activeKey.value,
    limit: limit.value,
    now: now.value,
    gateways: settings.value.sessionGroups === "gateway" ? (gateways.value ?? []) : []
  })
  const hasRest = query.value === "" && (state.tree.length > limit.value || state.hasMore)
  return (
    <nav class="sessions" aria-label="Sessions" ref={list}>
      <div class="sessions-head">
        <h2>Sessions</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Start a session with a name, agent or model"
          title="Start a session with a name, agent or model"
          onClick$={() => sessionRequest.set({ kind: "new" })}
        >
          <Icon name="ellipsis" />
        </button>
        <button type="button" class="button is-small" onClick$={create} disabled={creating.value}>
          <Icon name="plus" />
          <span>New session</span>
        </button>
      </div>
      <input
        class="field sessions-filter"
        type="search"
        placeholder="Filter sessions"
        aria-label="Filter sessions"
        bind:value={query}
      />
      <div class="sessions-scroll">
        {isEmpty && missing !== null && <p class="sessions-note">{missing}</p>}
        {isEmpty && missing === null && (
          <p class="sessions-note">
            <span class="spinner" aria-hidden="true" />
            <span>Loading sessions…</span>
          </p>
        )}
        {state.status === "failed" && (
          <div class="sessions-note is-error">
            <p>{state.message ?? "Couldn't load the sessions."}</p>
            <button type="button" class="button is-small" onClick$={() => app.client.sessions.refresh()}>
              Try again
            </button>
          </div>
        )}
        <ul class="plain-list">
          {entries.map((entry) => (
            <li key={entry.key}>
              <ListEntry
                entry={entry}
                current={entry.key === shownKey}
                now={now.value}
                onToggle$={toggle}
                mark={markOf(gateways.value, gatewayOfKey(entry.key))}
              />
            </li>
          ))}
        </ul>
        {query.value !== "" && entries.length === 0 && <p class="sessions-note">No sessions found</p>}
        {query.value !== "" && state.hasMore && (
          <button type="button" class="button is-small sessions-older" onClick$={() => app.client.sessions.readMore()}>
            Search older sessions
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
