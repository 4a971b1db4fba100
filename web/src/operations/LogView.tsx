import { component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useFindQuery } from "../base/useFindQuery.ts"
import { useReadable } from "../base/useReadable.ts"
import { clockTime } from "../core/common/timeText.ts"
import { filterLog, type LogEntry } from "../core/knowledge/AgentLogStore.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { say } from "../core/language/say.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { Select } from "../ui/Select.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { useNow } from "../ui/useNow.ts"
import "../ui/fold.css"
import "./log.css"

interface LogLineProps {
  readonly entry: LogEntry
  /** Epoch milliseconds. */
  readonly now: number
}

/** Longest message drawn at once, in characters. */
const MAX_SHOWN = 2_000

const TONES: Readonly<Record<string, string>> = {
  error: "is-error",
  fatal: "is-error",
  warn: "is-warning",
  warning: "is-warning"
}

/** One log entry; its details open below. */
const LogLine = component$<LogLineProps>((props) => {
  const { at, type, level, message, data } = props.entry
  const tone = level !== null && Object.hasOwn(TONES, level) ? TONES[level] : ""
  const isLong = message.length > MAX_SHOWN
  const more = [isLong ? message : "", data ?? ""].filter((part) => part !== "").join("\n\n")
  return (
    <li class={["log-line", tone]}>
      {at === null ? (
        <span class="soft small tabular">{say("no time")}</span>
      ) : (
        <TimeMark class="soft small tabular" at={at} text={clockTime(at, props.now)} />
      )}
      <span class="wrap gap-1 can-shrink tiny log-tags">
        {level !== null && <span class="log-level">{level}</span>}
        {type !== null && <span class="log-type">{type}</span>}
      </span>
      <div class="can-shrink break-words log-text">
        <p>{isLong ? `${message.slice(0, MAX_SHOWN)}…` : message}</p>
        {more !== "" && (
          <details class="fold">
            <summary>{say("Details")}</summary>
            <pre tabIndex={0}>{more}</pre>
          </details>
        )}
      </div>
    </li>
  )
})

/** All of them, or one that occurs. */
const choicesOf = (all: string, values: ReadonlyArray<string | null>) => [
  { value: "", label: all },
  ...[...new Set(values)]
    .filter((value) => value !== null)
    .sort()
    .map((value) => ({ value, label: value }))
]

/** What agents reported, newest first; new entries appear automatically. */
export const LogView = component$(() => {
  const app = useServices()
  const log = useConstant(() => knowledgeOf(app.client).log)
  const state = useReadable(log.state, { perFrame: true })
  const live = useReadable(app.client.events.connected)
  const now = useNow(60_000)
  const query = useFindQuery()
  const field = useSignal<HTMLInputElement>()
  const level = useSignal("")
  const type = useSignal("")

  useBrowserTask$(() => {
    void log.load()
  })

  useCommands(() => [
    {
      id: "log.filter",
      label: say("Filter the agent log"),
      group: say("Agent log"),
      keywords: "find search",
      run: () => field.value?.focus()
    }
  ])
  const { status, message, entries } = state.value
  const lines = filterLog(entries, { query: query.value, level: level.value, type: type.value }).toReversed()
  return (
    <section aria-labelledby="log-title" class="place agent-log">
      <h2 id="log-title">{say("Agent log")}</h2>
      <div class="row wrap gap-3 log-tools">
        <input
          ref={field}
          class="field"
          type="search"
          placeholder={say("Filter log")}
          aria-label={say("Filter log")}
          autocomplete="off"
          bind:value={query}
        />
        <Select
          id="log-level"
          label={say("Level")}
          chosen={level}
          options={choicesOf(
            say("All levels"),
            entries.map((entry) => entry.level)
          )}
        />
        <Select
          id="log-type"
          label={say("Type")}
          chosen={type}
          options={choicesOf(
            say("All types"),
            entries.map((entry) => entry.type)
          )}
        />
        <p class={["soft small log-live", live.value && "is-live"]} role="status">
          {live.value
            ? say("Live · {shown} of {entries}", { shown: lines.length, entries: entries.length })
            : say("Reconnecting…")}
        </p>
      </div>
      {status === "loading" && <LoadingState label={say("Loading the log…")} />}
      {status === "failed" && (
        <ErrorState title={say("Couldn't load the log")} text={message ?? ""} onRetry$={() => log.load()} />
      )}
      {status === "ready" && entries.length === 0 && (
        <EmptyState
          icon="clock"
          title={say("No entries yet")}
          text={say("Agents report what they do with POST /api/agentlog. The last 200 entries are kept.")}
        />
      )}
      {status === "ready" && entries.length > 0 && lines.length === 0 && (
        <EmptyState
          icon="search"
          title={say("No entries found")}
          text={say("Try a different search, level or type.")}
        />
      )}
      {lines.length > 0 && (
        <ol class="plain-list log-list" aria-label={say("Entries, newest first")}>
          {lines.map((entry) => {
            const { id } = entry
            return <LogLine key={id} entry={entry} now={now.value} />
          })}
        </ol>
      )}
    </section>
  )
})
