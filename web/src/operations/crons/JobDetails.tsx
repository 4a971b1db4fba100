import { $, component$, useConstant } from "@builder.io/qwik"
import { PRIMARY } from "../../../../src/contract/qualifiedKey.ts"
import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { useServices } from "../../base/AppContext.ts"
import { chatPath } from "../../base/routes.ts"
import { HoldNotes } from "../../budgets/HoldNotes.tsx"
import { LimitButton } from "../../budgets/LimitButton.tsx"
import { momentText, ownZone } from "../../core/common/dateText.ts"
import { clockTime, duration, isoTime } from "../../core/common/timeText.ts"
import { say } from "../../core/language/say.ts"
import { cronsStore } from "../../core/operations/CronsStore.ts"
import type { CronJob, CronRun } from "../../core/operations/cronJobs.ts"
import { nextRuns } from "../../core/operations/schedule.ts"
import { count } from "../../core/operations/usage.ts"
import { thinkingText } from "../../core/sessions/sessionChoices.ts"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { StateBadge } from "../../ui/StateBadge.tsx"
import { TimeMark } from "../../ui/TimeMark.tsx"
import { StaleNote, useQuery } from "../StaleNote.tsx"

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
const RunEntry = component$<{ readonly run: CronRun; readonly now: number }>((props) => {
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

interface JobDetailsProps {
  readonly job: CronJob
  /** The gateway's time zone. */
  readonly zone: string
  readonly now: number
}

const SHOWN_RUNS = 5

/** The next runs: the first one from the gateway, and those after it. */
const upcoming = ({ job, zone, now }: JobDetailsProps): ReadonlyArray<number> => {
  if (!job.enabled) return []
  const first = job.nextRunAt
  const options = { zone, count: SHOWN_RUNS, ...(job.createdAt === null ? {} : { createdAt: job.createdAt }) }
  if (first === null || first <= now) return nextRuns(job.schedule, { ...options, after: now })
  return [first, ...nextRuns(job.schedule, { ...options, after: first, count: SHOWN_RUNS - 1 })]
}

/** What a job does, when it runs next, and how its recent runs went. */
export const JobDetails = component$<JobDetailsProps>((props) => {
  const app = useServices()
  const history = useConstant(() => cronsStore(app.client).history(props.job.id))
  const state = useQuery(history)
  const { job, zone } = props
  const jobId = job.id
  const gatewayId = app.client.gatewayId ?? PRIMARY
  const zoneOfJob = job.schedule.kind === "cron" ? (job.schedule.zone ?? zone) : zone
  const mine = ownZone()
  const runs = upcoming(props)
  const { value, problem } = state.value
  const retry = $(() => history.refresh())

  return (
    <div class="job-columns">
      <div class="stack gap-2 can-shrink job-column">
        <h4>{say("What the agent does")}</h4>
        {job.description !== null && <p class="soft break-words">{markUnseen(job.description, "prose")}</p>}
        <p class="break-words pre-wrap job-prompt">
          {job.prompt === "" ? say("Nothing this console can show.") : markUnseen(job.prompt, "prose")}
        </p>
        <dl class="stack small facts">
          <dt>{say("Runs in")}</dt>
          <dd>{job.isMain ? say("the main session") : say("its own session")}</dd>
          <dt>{say("Model")}</dt>
          <dd>{job.model ?? say("agent default")}</dd>
          <dt>{say("Thinking")}</dt>
          <dd>{job.thinking === null ? say("model default") : thinkingText(job.thinking)}</dd>
          <dt>{say("Send response to")}</dt>
          <dd>
            {job.channel === null
              ? say("nowhere else")
              : job.channel === "last"
                ? say("the last used channel")
                : job.channel}
          </dd>
        </dl>
        <HoldNotes work={{ gatewayId, jobId }} />
        <div class="flex">
          <LimitButton scope={{ kind: "job", gatewayId, jobId }} />
        </div>
        <h4>{say("Next runs")}</h4>
        {runs.length === 0 && (
          <p class="muted">{job.enabled ? say("None known.") : say("None while the job is off.")}</p>
        )}
        {runs.length > 0 && (
          <ol class="plain-list stack tabular next-runs">
            {runs.map((at) => (
              <li key={at}>
                <time dateTime={isoTime(at)}>{momentText(at, zoneOfJob)}</time>
                {mine !== zoneOfJob && <span class="muted">{say("{at} your time", { at: momentText(at, mine) })}</span>}
              </li>
            ))}
          </ol>
        )}
        {runs.length > 0 && <p class="muted">{say("Times in {shownZone}", { shownZone: zoneOfJob })}</p>}
      </div>
      <div class="stack gap-2 can-shrink job-column">
        <h4>{say("Recent runs")}</h4>
        {value === null && problem === null && <LoadingState label={say("Loading recent runs…")} />}
        {value === null && problem !== null && (
          <ErrorState title={say("Couldn't load the recent runs")} text={problem} onRetry$={retry} />
        )}
        {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
        {value?.length === 0 && <p class="muted">{say("No runs yet")}</p>}
        {value !== null && value.length > 0 && (
          <ol class="plain-list stack gap-3 runs">
            {value.map((run, index) => (
              <RunEntry key={`${value.length - index}`} run={run} now={props.now} />
            ))}
          </ol>
        )}
      </div>
    </div>
  )
})
