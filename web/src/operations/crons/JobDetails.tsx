import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../app/ConsoleContext.ts"
import { cronsStore } from "../../core/operations/CronsStore.ts"
import type { CronJob } from "../../core/operations/cronJobs.ts"
import { nextRuns } from "../../core/operations/schedule.ts"
import { momentText } from "../../core/operations/scheduleWords.ts"
import { ownZone } from "../../core/operations/ZoneClock.ts"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"
import { RunEntry } from "./RunEntry.tsx"

interface JobDetailsProps {
  readonly job: CronJob
  /** The gateway's own zone. */
  readonly zone: string
  readonly now: number
}

const SHOWN_RUNS = 5

/** The next runs: the gateway's word for the first, and what follows it. */
const upcoming = ({ job, zone, now }: JobDetailsProps): ReadonlyArray<number> => {
  if (!job.enabled) return []
  const first = job.nextRunAt
  const options = { zone, count: SHOWN_RUNS, ...(job.createdAt === null ? {} : { createdAt: job.createdAt }) }
  if (first === null || first <= now) return nextRuns(job.schedule, { ...options, after: now })
  return [first, ...nextRuns(job.schedule, { ...options, after: first, count: SHOWN_RUNS - 1 })]
}

/** What a job does, when it runs next, and how its last runs went. */
export const JobDetails = component$<JobDetailsProps>((props) => {
  const app = useServices()
  const history = useConstant(() => cronsStore(app.console).history(props.job.id))
  const state = useQuery(history)
  const { job, zone } = props
  const shownZone = job.schedule.kind === "cron" ? (job.schedule.zone ?? zone) : zone
  const mine = ownZone()
  const runs = upcoming(props)
  const { value, problem } = state.value
  const retry = $(() => history.refresh())

  return (
    <div class="job-columns">
      <div class="job-column">
        <h4>What the agent does</h4>
        {job.description !== null && <p class="job-description">{job.description}</p>}
        <p class="job-prompt">{job.prompt === "" ? "Nothing that this console can show." : job.prompt}</p>
        <dl class="facts">
          <dt>Runs in</dt>
          <dd>{job.isMain ? "the main session" : "a session of its own"}</dd>
          <dt>Model</dt>
          <dd>{job.model ?? "the agent's own"}</dd>
          <dt>Thinking</dt>
          <dd>{job.thinking ?? "the model's own"}</dd>
          <dt>Answer goes to</dt>
          <dd>
            {job.channel === null ? "nowhere else" : job.channel === "last" ? "the channel used last" : job.channel}
          </dd>
        </dl>
        <h4>Next runs</h4>
        {runs.length === 0 && (
          <p class="muted">{job.enabled ? "None is known." : "None while the job is switched off."}</p>
        )}
        {runs.length > 0 && (
          <ol class="plain-list next-runs">
            {runs.map((at) => (
              <li key={at}>
                <time dateTime={new Date(at).toISOString()}>{momentText(at, shownZone)}</time>
                {mine !== shownZone && <span class="muted">{`${momentText(at, mine)} here`}</span>}
              </li>
            ))}
          </ol>
        )}
        {runs.length > 0 && <p class="muted">{`Times of ${shownZone}.`}</p>}
      </div>
      <div class="job-column">
        <h4>Last runs</h4>
        {value === null && problem === null && <LoadingState label="Asking for the last runs…" />}
        {value === null && problem !== null && (
          <ErrorState title="The last runs could not be had" text={problem} onRetry$={retry} />
        )}
        {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
        {value?.length === 0 && <p class="muted">It has not run yet.</p>}
        {value !== null && value.length > 0 && (
          <ol class="plain-list runs">
            {value.map((run, index) => (
              <RunEntry key={`${value.length - index}`} run={run} now={props.now} />
            ))}
          </ol>
        )}
      </div>
    </div>
  )
})
