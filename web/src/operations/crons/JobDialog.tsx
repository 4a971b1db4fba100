import { $, component$, type QRL, type Signal, useConstant, useSignal } from "@builder.io/qwik"
import { THINKING_LEVELS } from "../../../../src/contract/board.ts"
import { PRIMARY } from "../../../../src/contract/qualifiedKey.ts"
import { StartPills } from "../../agents/StartPills.tsx"
import { useServices } from "../../base/AppContext.ts"
import { keptValues, useKept } from "../../base/useKept.ts"
import { useReadable } from "../../base/useReadable.ts"
import { LimitButton } from "../../budgets/LimitButton.tsx"
import { LimitField } from "../../budgets/LimitField.tsx"
import { setLimit } from "../../budgets/setLimit.ts"
import { amountIn } from "../../core/budgets/budgetForm.ts"
import { say } from "../../core/language/say.ts"
import { cronsStore } from "../../core/operations/CronsStore.ts"
import type { CronJob } from "../../core/operations/cronJobs.ts"
import {
  changedMeanwhile,
  type JobField,
  type JobForm,
  jobForm,
  jobOf,
  jobPatch,
  keptAnyway,
  newJobForm
} from "../../core/operations/jobForm.ts"
import { thinkingText } from "../../core/sessions/sessionChoices.ts"
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { Select } from "../../ui/Select.tsx"
import { ScheduleFields } from "./ScheduleFields.tsx"
import "../../ui/fold.css"

interface JobOptionsProps {
  readonly form: Signal<JobForm>
  readonly isNew: boolean
}

const TARGETS = [
  { value: "own", label: say("Its own session") },
  { value: "main", label: say("The main session") }
]
/** The levels that cards have too, and the one that a job already has. */
const levelsWith = (current: string) => [
  { value: "", label: say("Agent default") },
  ...[...new Set([...THINKING_LEVELS, ...(current === "" ? [] : [current])])].map((level) => ({
    value: level,
    label: thinkingText(level)
  }))
]
const CHANNELS = [
  { value: "", label: say("Only here") },
  { value: "last", label: say("The last used channel") }
]

/** Where a job runs, how much it thinks, and where its response goes. */
const JobOptions = component$<JobOptionsProps>((props) => {
  const form = props.form.value
  return (
    <details class="form-more fold" open={form.thinking !== "" || form.channel !== ""}>
      <summary>{say("Thinking, session and delivery")}</summary>
      <div class="stack gap-3 form-line">
        {props.isNew && (
          <Field label={say("Runs in")} for="job-target" hint={say("You can't choose a model for the main session.")}>
            <Select
              id="job-target"
              value={form.isMain ? "main" : "own"}
              options={TARGETS}
              describedBy="job-target-hint"
              onChange$={(target) => {
                props.form.value = { ...props.form.value, isMain: target === "main" }
              }}
            />
          </Field>
        )}
        {!form.isMain && (
          <>
            <Field label={say("Thinking")} for="job-thinking">
              <Select
                id="job-thinking"
                value={props.form.value.thinking}
                options={levelsWith(props.form.value.thinking)}
                onChange$={(thinking) => {
                  props.form.value = { ...props.form.value, thinking }
                }}
              />
            </Field>
            <Field label={say("Send response to")} for="job-channel">
              <Select
                id="job-channel"
                value={props.form.value.channel}
                options={CHANNELS}
                onChange$={(channel) => {
                  props.form.value = { ...props.form.value, channel }
                }}
              />
            </Field>
          </>
        )}
      </div>
    </details>
  )
})

interface JobDialogProps {
  /** The job to edit; null for a new one. */
  readonly job: CronJob | null
  readonly onClose$: QRL<() => void>
}

interface Fault {
  /** Null if no form field is at fault. */
  readonly field: JobField | null
  readonly message: string
}

/** The id of each form field. */
const FIELDS: Readonly<Record<JobField, string>> = {
  name: "#job-name",
  prompt: "#job-prompt",
  every: "#job-every",
  time: "#job-time",
  weekdays: ".weekdays input",
  monthDay: "#job-day",
  date: "#job-date",
  cron: "#job-cron",
  zone: "#job-zone"
}

/** Forms that were neither saved nor discarded, and what they were when they were opened. */
const forms = keptValues<JobForm>()
const openedForms = keptValues<JobForm>()
const limits = keptValues<string>()

/** Creates or edits a job. What was typed stays until it is saved or deliberately discarded. */
export const JobDialog = component$<JobDialogProps>((props) => {
  const app = useServices()
  const store = useConstant(() => cronsStore(app.client))
  const jobs = useReadable(store.jobs.state)
  const context = useConstant(() => ({ zone: store.zone.get(), now: Date.now() }))
  const key = props.job?.id ?? ""
  const opened = useSignal<JobForm>(() => {
    const now = props.job === null ? newJobForm(context) : jobForm(props.job, context)
    const before = forms.has(key) ? (openedForms.get(key) ?? now) : now
    openedForms.set(key, before)
    return before
  })
  const form = useKept(forms, key, () => opened.value)
  const fault = useSignal<Fault | null>(null)
  const saving = useSignal(false)
  const leaving = useSignal(false)
  const limit = useKept(limits, key, () => "")
  const limitProblem = useSignal<string | null>(null)
  const gatewayId = app.client.gatewayId ?? PRIMARY

  const id = props.job?.id ?? null
  const latest = jobs.value.value?.find((job) => job.id === id) ?? null
  const others = latest === null ? [] : changedMeanwhile(opened.value, jobForm(latest, context), context)

  const end = $(() => {
    forms.delete(key)
    limits.delete(key)
    return props.onClose$()
  })
  const close = $(() => {
    if (JSON.stringify(form.value) === JSON.stringify(opened.value) && limit.value.trim() === "") return end()
    leaving.value = true
  })
  const save = $(async () => {
    const job = store.jobs.state.get().value?.find((candidate) => candidate.id === props.job?.id) ?? props.job
    const now = { zone: context.zone, now: Date.now() }
    const result = job === null ? jobOf(form.value, now) : jobPatch(form.value, opened.value, job, now)
    if (!result.ok) {
      fault.value = { field: result.field, message: result.message }
      document.querySelector<HTMLElement>(FIELDS[result.field])?.focus()
      return
    }
    if (result.value === null) return end()
    const amount = limit.value.trim() === "" ? null : amountIn("usd", limit.value)
    limitProblem.value = amount?.ok === false ? amount.message : null
    if (limitProblem.value !== null) return document.getElementById("job-limit")?.focus()
    fault.value = null
    saving.value = true
    const done = job === null ? await store.create(result.value) : await store.update(job.id, result.value)
    saving.value = false
    if (done.ok) {
      if (amount?.ok === true) await setLimit(app, { kind: "job", gatewayId, jobId: done.value.id }, amount.value)
      const kept = keptAnyway(form.value, done.value)
      if (kept !== null) app.notices.show("error", kept)
      else
        app.notices.show(
          "info",
          job === null
            ? say("{name} scheduled.", { name: form.value.name.trim() })
            : say("{name} saved.", { name: form.value.name.trim() })
        )
      return end()
    }
    fault.value = { field: null, message: done.message }
  })
  const problem = (field: JobField) => (fault.value?.field === field ? fault.value.message : null)
  const zone = context.zone
  const { schedule } = form.value
  const nameProblem = problem("name")
  const promptProblem = problem("prompt")

  return (
    <>
      <Dialog title={id === null ? say("New job") : say("Edit job")} onClose$={close} keepOnBackdrop>
        <form id="job-form" class="stack gap-4 job-form" preventdefault:submit onSubmit$={save} noValidate>
          {fault.value !== null && fault.value.field === null && (
            <p class="job-problem" role="alert">
              {say("Couldn't save: {message}", { message: fault.value.message })}
            </p>
          )}
          {others.length > 0 && (
            <div class="form-note" role="status">
              <p>
                {say(
                  "Someone else changed this job in the meantime. Anything you don't change here stays as they left it:"
                )}
              </p>
              <ul>
                {others.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          )}
          <Field label={say("Name")} for="job-name" error={nameProblem}>
            <input
              id="job-name"
              class="field"
              type="text"
              maxLength={200}
              autocomplete="off"
              aria-invalid={nameProblem === null ? undefined : "true"}
              aria-describedby="job-name-hint"
              readOnly={saving.value}
              value={form.value.name}
              onInput$={(_, element) => {
                form.value = { ...form.value, name: element.value }
              }}
            />
          </Field>
          <Field label={say("What the agent should do")} for="job-prompt" error={promptProblem}>
            <textarea
              id="job-prompt"
              class="field"
              rows={4}
              readOnly={saving.value}
              aria-invalid={promptProblem === null ? undefined : "true"}
              aria-describedby="job-prompt-hint"
              value={form.value.prompt}
              onInput$={(_, element) => {
                form.value = { ...form.value, prompt: element.value }
              }}
            />
          </Field>
          <ScheduleFields
            schedule={schedule}
            onChange$={(schedule) => {
              form.value = { ...form.value, schedule }
            }}
            fault={fault}
            zone={zone}
          />
          <StartPills
            id="job"
            gatewayId={gatewayId}
            agent={form.value.agentId}
            model={form.value.isMain ? undefined : { value: form.value.model, none: say("Agent default") }}
            onAgent$={(agentId: string) => {
              form.value = { ...form.value, agentId }
            }}
            onModel$={(model: string) => {
              form.value = { ...form.value, model }
            }}
          />
          <JobOptions form={form} isNew={id === null} />
          {id === null ? (
            <LimitField
              id="job-limit"
              hint={say("At this limit a run pauses and asks you.")}
              limit={limit}
              problem={limitProblem.value}
            />
          ) : (
            <div class="flex">
              <LimitButton scope={{ kind: "job", gatewayId, jobId: id }} />
            </div>
          )}
        </form>
        <button q:slot="foot" type="button" class="button" onClick$={close}>
          {say("Cancel")}
        </button>
        <button q:slot="foot" type="submit" form="job-form" class="button is-primary" disabled={saving.value}>
          {saving.value ? say("Saving…") : id === null ? say("Schedule job") : say("Save")}
        </button>
      </Dialog>
      {leaving.value && (
        <ConfirmDialog
          title={say("Discard your changes?")}
          confirmLabel={say("Discard")}
          cancelLabel={say("Keep editing")}
          danger
          onConfirm$={end}
          onCancel$={() => {
            leaving.value = false
          }}
        >
          <p>{say("The job won't change.")}</p>
        </ConfirmDialog>
      )}
    </>
  )
})
