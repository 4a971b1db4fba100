import { component$ } from "@builder.io/qwik"
import { chatPath } from "../../base/routes.ts"
import { clockTime, duration } from "../../core/common/timeText.ts"
import { say } from "../../core/language/say.ts"
import type { CronRun } from "../../core/operations/cronJobs.ts"
import { count } from "../../core/operations/usage.ts"
import { StateBadge } from "../../ui/StateBadge.tsx"
import { TimeMark } from "../../ui/TimeMark.tsx"

const STATES = { ok: "done", error: "failed" } as const

const figures = (run: CronRun): string =>
  [
    run.durationMs === null ? null : duration(run.durationMs),
    run.model,
    run.tokens === null || run.tokens === 0 ? null : say("{count} tokens", { count: count(run.tokens) })
  ]
    .filter((text) => text !== null)
    .join(" · ")

/** One run of a job: when, how it ended, and its result. */
export const RunEntry = component$<{ readonly run: CronRun; readonly now: number }>((props) => {
  const { run, now } = props
  const { at } = run
  const { status } = run
  const state = status === "ok" || status === "error" ? STATES[status] : null
  return (
    <li class="stack gap-1 border-bottom run">
      <p class="row wrap tabular run-head">
        {state === null ? (
          <span class="badge">{status === null ? say("Ended") : say("Skipped")}</span>
        ) : (
          <StateBadge state={state} />
        )}
        <TimeMark at={at} text={clockTime(at, now)} />
        <span class="muted">{figures(run)}</span>
      </p>
      {run.error !== null && <p class="place-problem">{run.error}</p>}
      {run.summary !== null && <p class="break-words pre-wrap run-summary">{run.summary}</p>}
      {run.sessionKey !== null && (
        <a class="run-session" href={chatPath(run.sessionKey)}>
          {say("Open session")}
        </a>
      )}
    </li>
  )
})
