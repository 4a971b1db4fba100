import { $, component$, useConstant } from "@builder.io/qwik"
import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { useServices } from "../../base/AppContext.ts"
import { momentText, ownZone } from "../../core/common/dateText.ts"
import { isoTime } from "../../core/common/timeText.ts"
import { say } from "../../core/language/say.ts"
import { cronsStore } from "../../core/operations/CronsStore.ts"
import type { CronJob } from "../../core/operations/cronJobs.ts"
import { nextRuns } from "../../core/operations/schedule.ts"
import { thinkingText } from "../../core/sessions/sessionChoices.ts"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"
import { RunEntry } from "./RunEntry.tsx"

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
  const shownZone = job.schedule.kind === "cron" ? (job.schedule.zone ?? zone) : zone
  const mine = ownZone()
  const runs = upcoming(props)
  const { value, problem } = state.value
  const retry = $(() => history.refresh())

  return (
    <div class="job-columns">
      <div class="job-column">
        <h4>{say("What the agent does")}</h4>
        {job.description !== null && <p class="job-description">{markUnseen(job.description, "prose")}</p>}
        <p class="job-prompt">
          {job.prompt === "" ? say("Nothing this console can show.") : markUnseen(job.prompt, "prose")}
        </p>
        <dl class="facts">
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
        <h4>{say("Next runs")}</h4>
        {runs.length === 0 && (
          <p class="muted">{job.enabled ? say("None known.") : say("None while the job is off.")}</p>
        )}
        {runs.length > 0 && (
          <ol class="plain-list next-runs">
            {runs.map((at) => (
              <li key={at}>
                <time dateTime={isoTime(at)}>{momentText(at, shownZone)}</time>
                {mine !== shownZone && <span class="muted">{say("{at} your time", { at: momentText(at, mine) })}</span>}
              </li>
            ))}
          </ol>
        )}
        {runs.length > 0 && <p class="muted">{say("Times in {shownZone}", { shownZone })}</p>}
      </div>
      <div class="job-column">
        <h4>{say("Recent runs")}</h4>
        {value === null && problem === null && <LoadingState label={say("Loading recent runs…")} />}
        {value === null && problem !== null && (
          <ErrorState title={say("Couldn't load the recent runs")} text={problem} onRetry$={retry} />
        )}
        {value !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
        {value?.length === 0 && <p class="muted">{say("No runs yet")}</p>}
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
