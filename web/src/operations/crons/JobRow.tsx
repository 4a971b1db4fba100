import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { useServices } from "../../base/AppContext.ts"
import { pathSegment } from "../../base/routes.ts"
import { useBrowserTask$ } from "../../base/useBrowserTask.ts"
import { useCommands } from "../../base/useCommands.ts"
import { below } from "../../core/common/basePath.ts"
import { isNear, momentText, ownZone, whenText } from "../../core/common/dateText.ts"
import { duration, fullTime } from "../../core/common/timeText.ts"
import { say, sayCount } from "../../core/language/say.ts"
import { cronsStore } from "../../core/operations/CronsStore.ts"
import type { CronJob, CronRun } from "../../core/operations/cronJobs.ts"
import { nextRunText } from "../../core/operations/nextRunText.ts"
import { scheduleWords } from "../../core/operations/scheduleWords.ts"
import { Icon } from "../../ui/Icon.tsx"
import { MenuButton } from "../../ui/MenuButton.tsx"
import { StateBadge, StateMark } from "../../ui/StateBadge.tsx"
import { useNow } from "../../ui/useNow.ts"
import { JobDetails } from "./JobDetails.tsx"

interface JobRowProps {
  readonly job: CronJob
  readonly open: boolean
  /** The gateway's time zone. */
  readonly zone: string
  readonly now: number
  readonly onEdit$: QRL<(job: CronJob) => void>
}

/** Its name as it's read before it's run. */
const nameOf = ({ name }: CronJob): string => markUnseen(name, "prose")

const LIST = below("/operations/crons")

const Running = component$<{ readonly since: number }>((props) => {
  const now = useNow(1_000)
  return <StateBadge state="working" text={say("Running, {time}", { time: duration(now.value - props.since) })} />
})

/** A time in words, with its zone where another zone is shown as well. */
const ownTime = (at: number, words: string, now: number, showsZone: boolean): string =>
  showsZone && !isNear(at, now) ? say("{at} your time", { at: words }) : words

/** When it last ran; that it failed is said beside it. */
const lastWords = (job: CronJob, now: number, showsZone: boolean): string => {
  if (job.lastRunAt === null) return say("Hasn't run yet")
  const ago = ownTime(job.lastRunAt, whenText(job.lastRunAt, now), now, showsZone)
  return job.lastStatus === "skipped" ? say("Skipped {ago}", { ago }) : say("Ran {ago}", { ago })
}

/** That it failed, how often, and why as far as that is wanted here. */
const failedWords = (job: CronJob, isWhy: boolean): string => {
  const failed = sayCount(job.failures, "Failed", "Failed {count} times in a row")
  return isWhy && job.lastError !== null ? say("{path}: {problem}", { path: failed, problem: job.lastError }) : failed
}

const MARKS = { ok: "done", error: "failed", skipped: "stopped" } as const

/** Whether it runs, otherwise how the last run ended; the row has the words for it. */
const markOf = ({ lastStatus }: CronJob, busy: boolean) =>
  busy ? "working" : lastStatus === null ? "queued" : MARKS[lastStatus]

/** One job: what, when, how the last run went, and its actions. */
export const JobRow = component$<JobRowProps>((props) => {
  const app = useServices()
  const store = useConstant(() => cronsStore(app.client))
  const starting = useSignal(false)
  const element = useSignal<HTMLElement>()
  const { job, open, zone, now } = props
  const zoneOfJob = job.schedule.kind === "cron" ? (job.schedule.zone ?? zone) : zone
  const runningSince = job.runningSince
  const nextRun = nextRunText(job, now)
  const showsZone = job.schedule.kind !== "every" && zoneOfJob !== ownZone()
  const busy = starting.value || runningSince !== null
  const mark = markOf(job, busy)

  const run = $(async () => {
    const { id } = props.job
    const name = nameOf(props.job)
    starting.value = true
    const announceEnd = (ended: CronRun | null) =>
      ended?.status === "error"
        ? app.notices.show(
            "error",
            say("{name} failed. {reason}", { name, reason: ended.error ?? say("See its recent runs for details.") })
          )
        : app.notices.show("info", say("{name} finished.", { name }))
    const result = await store.run(id)
    starting.value = false
    if (!result.ok) return app.notices.show("error", `${name}: ${result.message}`)
    if (!result.value.isRunning) return announceEnd(result.value.run)
    app.notices.show("info", say("{name} is still running. You'll see here when it finishes.", { name }))
    store.whenEnded(id, announceEnd)
  })
  const toggle = $(async (enabled: boolean) => {
    const { id } = props.job
    const name = nameOf(props.job)
    const result = await store.setEnabled(id, enabled)
    if (!result.ok)
      app.notices.show("error", say("Couldn't turn {name} on or off: {message}", { name, message: result.message }))
  })
  const remove = $(() => {
    const { id } = props.job
    const name = nameOf(props.job)
    store.hide(id)
    app.notices.offerUndo(
      say("{what} deleted.", { what: name }),
      () => store.unhide(id),
      async () => {
        const result = await store.remove(id)
        store.unhide(id)
        if (!result.ok)
          app.notices.show("error", say("Couldn't delete {name}: {message}", { name, message: result.message }))
      }
    )
  })

  useCommands(() => {
    const { enabled, id } = props.job
    const name = nameOf(props.job)
    return [
      {
        id: `crons.run ${id}`,
        label: say("Run {name} now", { name }),
        group: say("Scheduled jobs"),
        keywords: "cron start",
        when: () => props.job.runningSince === null && !starting.value,
        run
      },
      {
        id: `crons.edit ${id}`,
        label: say("Edit {name}", { name }),
        group: say("Scheduled jobs"),
        keywords: "cron change",
        run: () => props.onEdit$(props.job)
      },
      {
        id: `crons.toggle ${id}`,
        label: enabled ? say("Pause {name}", { name }) : say("Turn on {name}", { name }),
        group: say("Scheduled jobs"),
        keywords: "cron enable disable off",
        run: () => toggle(!enabled)
      },
      {
        id: `crons.delete ${id}`,
        label: say("Delete {name}", { name }),
        group: say("Scheduled jobs"),
        keywords: "cron remove",
        run: remove
      }
    ]
  })
  useBrowserTask$(() => {
    // An address that names the job scrolls it into view; a click opens it in place.
    if (props.open) element.value?.scrollIntoView({ block: "nearest" })
  })

  return (
    <li ref={element} class={["stack surface job", !job.enabled && "is-off"]} data-job={job.id}>
      <span class={["place-center soft job-mark", `is-${mark}`]}>
        <StateMark state={mark} />
      </span>
      <div class="stack can-shrink job-main">
        <h3>
          <a
            class="strong break-words plain-link job-name"
            href={open ? LIST : `${LIST}/${pathSegment(job.id)}`}
            aria-expanded={open ? "true" : "false"}
            aria-controls={`job-${job.id}`}
          >
            <span>{nameOf(job)}</span>
            <Icon name="chevron-right" />
          </a>
        </h3>
        <p class="row wrap small break-words job-when">
          <span>{scheduleWords(job.schedule, zoneOfJob, now)}</span>
          {showsZone && <span>{zoneOfJob}</span>}
          {job.isSystem && <span>{say("Gateway job")}</span>}
        </p>
        <p class="row wrap small break-words job-standing">
          {runningSince !== null && <Running since={runningSince} />}
        </p>
        {job.lastStatus === "error" && <p class="row wrap small break-words job-why">{failedWords(job, !open)}</p>}
        <p class="row wrap small break-words tabular job-facts">
          {nextRun !== null && (
            <span title={momentText(job.nextRunAt ?? now, zoneOfJob, now)}>
              {say("Next {time}", { time: ownTime(job.nextRunAt ?? now, nextRun, now, showsZone) })}
            </span>
          )}
          <span title={job.lastRunAt === null ? "" : fullTime(job.lastRunAt)}>{lastWords(job, now, showsZone)}</span>
        </p>
      </div>
      <div class="row gap-2 job-actions">
        <button
          type="button"
          class="icon-button soft job-run"
          title={say("Run {name} now", { name: nameOf(job) })}
          disabled={busy}
          onClick$={run}
        >
          {busy ? <span class="spinner" aria-hidden="true" /> : <Icon name="play" />}
          <span class="visually-hidden">{busy ? say("Running…") : say("Run now")}</span>
          <span class="visually-hidden">{nameOf(job)}</span>
        </button>
        <input
          class="switch"
          type="checkbox"
          role="switch"
          aria-label={say("Enable {name}", { name: nameOf(job) })}
          checked={job.enabled}
          aria-checked={job.enabled ? "true" : "false"}
          onChange$={(_, element) => toggle(element.checked)}
        />
        <MenuButton
          label={say("More for {name}", { name: nameOf(job) })}
          items={[
            { label: say("Run now"), icon: "play", disabled: busy, run: () => run() },
            { label: say("Edit…"), icon: "pencil", run: () => props.onEdit$(props.job) },
            { label: say("Delete"), icon: "trash", danger: true, run: () => remove() }
          ]}
        />
      </div>
      <div id={`job-${job.id}`} class="job-details" hidden={!open}>
        {open && <JobDetails job={job} zone={zone} now={now} />}
      </div>
    </li>
  )
})
