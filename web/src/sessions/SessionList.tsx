import { $, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { Icon } from "../ui/Icon.tsx"
import { useNow } from "../ui/useNow.ts"
import { moveFocus } from "./moveFocus.ts"
import { SessionLink } from "./SessionLink.tsx"
import { sessionEntries } from "./sessionPresentation.ts"
import "./sessions.css"

/** From this many sessions on the list offers a filter. */
const FILTER_FROM = 7

/** The sessions of the gateway, newest family first. */
export const SessionList = component$(() => {
  const app = useServices()
  const sessions = useReadable(app.console.sessions.state, { perFrame: true })
  const activeKey = useReadable(app.console.sessions.activeKey)
  const now = useNow(30_000)
  const query = useSignal("")
  const creating = useSignal(false)
  const list = useSignal<HTMLElement>()

  useVisibleTask$(
    ({ cleanup }) => {
      const element = list.value
      if (element === undefined) return
      const onKey = (event: KeyboardEvent) => moveFocus(element, event)
      element.addEventListener("keydown", onKey)
      cleanup(() => element.removeEventListener("keydown", onKey))
    },
    { strategy: "document-ready" }
  )

  const create = $(async () => {
    creating.value = true
    const result = await app.console.sessions.create()
    creating.value = false
    if (!result.ok) app.notices.show("error", result.message)
  })

  const state = sessions.value
  const entries = sessionEntries(state.tree, query.value)
  return (
    <nav class="sessions" aria-label="Sessions" ref={list}>
      <div class="sessions-head">
        <h2>Sessions</h2>
        <button type="button" class="button is-small" onClick$={create} disabled={creating.value}>
          <Icon name="plus" />
          <span>New session</span>
        </button>
      </div>
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
          {entries.map(({ row, depth }) => (
            <li key={row.key}>
              <SessionLink row={row} depth={depth} current={row.key === activeKey.value} now={now.value} />
            </li>
          ))}
        </ul>
        {query.value !== "" && entries.length === 0 && (
          <p class="sessions-note">No session has these words in its name.</p>
        )}
      </div>
    </nav>
  )
})
