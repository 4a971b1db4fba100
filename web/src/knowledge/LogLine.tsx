import { component$ } from "@builder.io/qwik"
import { clockTime } from "../core/common/timeText.ts"
import type { LogEntry } from "../core/knowledge/AgentLogStore.ts"
import { say } from "../core/language/say.ts"
import { TimeMark } from "../ui/TimeMark.tsx"
import "../ui/fold.css"

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
export const LogLine = component$<LogLineProps>((props) => {
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
