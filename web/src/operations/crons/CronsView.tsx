import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useCommands } from "../../base/useCommands.ts"
import { useReadable } from "../../base/useReadable.ts"
import { below } from "../../core/common/basePath.ts"
import { whenText } from "../../core/common/dateText.ts"
import { say } from "../../core/language/say.ts"
import { cronsStore } from "../../core/operations/CronsStore.ts"
import type { CronJob } from "../../core/operations/cronJobs.ts"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { ErrorState } from "../../ui/ErrorState.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { LoadingState } from "../../ui/LoadingState.tsx"
import { useNow } from "../../ui/useNow.ts"
import { StaleNote, useQuery } from "../StaleNote.tsx"
import { JobDialog } from "./JobDialog.tsx"
import { JobRow } from "./JobRow.tsx"
import "./crons.css"

const summary = (jobs: ReadonlyArray<CronJob>, now: number): string => {
  const on = jobs.filter((job) => job.enabled)
  const next = Math.min(...on.flatMap((job) => (job.nextRunAt !== null && job.nextRunAt > now ? [job.nextRunAt] : [])))
  const counted = say("{on} of {count} on", { on: on.length, count: jobs.length })
  return Number.isFinite(next) ? say("{jobs} · next {time}", { jobs: counted, time: whenText(next, now) }) : counted
}

/** The scheduled jobs; `open` is the id of the one whose details are shown. */
export const CronsView = component$<{ readonly open: string | null }>((props) => {
  const app = useServices()
  const store = useConstant(() => cronsStore(app.client))
  const state = useQuery(store.jobs)
  const hidden = useReadable(store.hidden)
  const zone = useReadable(store.zone)
  const now = useNow(15_000)
  const editing = useSignal<{ readonly job: CronJob | null } | null>(null)

  const retry = $(() => store.jobs.refresh())
  const create = $(() => {
    editing.value = { job: null }
  })
  useCommands(() => [
    {
      id: "crons.new",
      label: say("New scheduled job"),
      group: say("Scheduled jobs"),
      keys: "n",
      keywords: "cron",
      run: create
    }
  ])
  const edit = $((job: CronJob) => {
    editing.value = { job }
  })
  const { value, problem } = state.value
  const jobs = value?.filter((job) => !hidden.value.has(job.id)) ?? null
  // One that was just deleted here is only hidden.
  const isGone = props.open !== null && value?.every(({ id }) => id !== props.open) === true

  return (
    <section aria-labelledby="crons-title" class="place">
      <div class="row wrap space-between place-head">
        <div>
          <h2 id="crons-title">{say("Scheduled jobs")}</h2>
          {jobs !== null && <p class="place-text">{summary(jobs, now.value)}</p>}
        </div>
        <button type="button" class="button is-small is-primary" onClick$={create}>
          <Icon name="plus" />
          <span>{say("New job")}</span>
        </button>
      </div>
      {jobs !== null && problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {jobs === null && problem === null && <LoadingState label={say("Loading jobs…")} />}
      {jobs === null && problem !== null && (
        <ErrorState title={say("Couldn't load the jobs")} text={problem} onRetry$={retry} />
      )}
      {jobs?.length === 0 && (
        <EmptyState
          icon="clock"
          title={say("No scheduled jobs")}
          text={say("Have an agent do something every morning, or just once.")}
        >
          <button type="button" class="button" onClick$={create}>
            {say("Schedule a job")}
          </button>
        </EmptyState>
      )}
      {isGone && (
        <ErrorState
          isMissing
          title={say("There's no job at this address")}
          text={say("It may have been deleted, or the address isn't complete.")}
          action={say("Show all jobs")}
          href={below("/operations/crons")}
        />
      )}
      {jobs !== null && jobs.length > 0 && !isGone && (
        <ul class="plain-list stack gap-2 jobs">
          {jobs.map((job) => {
            const { id } = job
            return (
              <JobRow key={id} job={job} open={props.open === id} zone={zone.value} now={now.value} onEdit$={edit} />
            )
          })}
        </ul>
      )}
      {editing.value !== null && (
        <JobDialog
          job={editing.value.job}
          onClose$={() => {
            editing.value = null
          }}
        />
      )}
    </section>
  )
})
