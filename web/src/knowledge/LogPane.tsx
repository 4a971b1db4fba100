import { component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { filterLog } from "../core/knowledge/AgentLogStore.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useNow } from "../ui/useNow.ts"
import { LogLine } from "./LogLine.tsx"
import { useFindQuery } from "./useFindQuery.ts"
import "./log.css"

const distinct = (values: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  [...new Set(values)].filter((value) => value !== null).sort()

/** What agents reported, newest first; new entries appear automatically. */
export const LogPane = component$(() => {
  const app = useServices()
  const log = useConstant(() => knowledgeOf(app.client).log)
  const state = useReadable(log.state, { perFrame: true })
  const live = useReadable(app.client.events.connected)
  const now = useNow(60_000)
  const query = useFindQuery()
  const level = useSignal("")
  const type = useSignal("")

  useVisibleTask$(
    () => {
      void log.load()
    },
    { strategy: "document-ready" }
  )

  const { status, message, entries } = state.value
  const shown = filterLog(entries, { query: query.value, level: level.value, type: type.value }).toReversed()
  const levels = distinct(entries.map((entry) => entry.level))
  const types = distinct(entries.map((entry) => entry.type))
  return (
    <div class="screen-body log">
      <div class="log-tools">
        <input
          class="field"
          type="search"
          placeholder="Filter log"
          aria-label="Filter log"
          autocomplete="off"
          bind:value={query}
        />
        <select class="field" aria-label="Level" bind:value={level}>
          <option value="">All levels</option>
          {levels.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <select class="field" aria-label="Type" bind:value={type}>
          <option value="">All types</option>
          {types.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <p class={["log-live", live.value && "is-live"]} role="status">
          {live.value ? `Live · ${shown.length} of ${entries.length}` : "Reconnecting…"}
        </p>
      </div>
      {status === "loading" && <LoadingState label="Loading the log…" />}
      {status === "failed" && (
        <ErrorState title="Couldn't load the log" text={message ?? ""} onRetry$={() => log.load()} />
      )}
      {status === "ready" && entries.length === 0 && (
        <EmptyState
          icon="clock"
          title="No entries yet"
          text="Agents report what they do with POST /api/agentlog. The last 200 entries are kept."
        />
      )}
      {status === "ready" && entries.length > 0 && shown.length === 0 && (
        <EmptyState icon="search" title="No entries found" text="Try a different search, level or type." />
      )}
      {shown.length > 0 && (
        <ol class="plain-list log-list" aria-label="Entries, newest first">
          {shown.map((entry) => {
            const { id } = entry
            return <LogLine key={id} entry={entry} now={now.value} />
          })}
        </ol>
      )}
    </div>
  )
})
