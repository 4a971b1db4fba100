import { component$, type Signal } from "@builder.io/qwik"
import type { Model } from "../../../../src/contract/schema/session.ts"
import { say } from "../../core/language/say.ts"
import type { JobForm } from "../../core/operations/jobForm.ts"
import { thinkingText } from "../../core/sessions/thinking.ts"
import { Field } from "../../ui/Field.tsx"
import { Select } from "../../ui/Select.tsx"
import "../../ui/fold.css"

interface JobOptionsProps {
  readonly form: Signal<JobForm>
  readonly isNew: boolean
  readonly models: ReadonlyArray<Model>
}

const TARGETS = [
  { value: "own", label: say("Its own session") },
  { value: "main", label: say("The main session") }
]
const LEVELS = [
  { value: "", label: say("Model default") },
  ...["off", "minimal", "low", "medium", "high"].map((level) => ({ value: level, label: thinkingText(level) }))
]
const CHANNELS = [
  { value: "", label: say("Nowhere else (read it here)") },
  { value: "last", label: say("The last used channel") }
]

/** Where a job runs, with which model, and where its response goes. */
export const JobOptions = component$<JobOptionsProps>((props) => {
  const form = props.form.value
  const models = [
    { value: "", label: say("Agent default") },
    ...props.models.map(({ id, label }) => ({ value: id, label }))
  ]
  return (
    <details class="form-more fold" open={form.model !== "" || form.thinking !== "" || form.channel !== ""}>
      <summary>{say("Model, session and delivery")}</summary>
      <div class="form-line">
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
            <Field label={say("Model")} for="job-model">
              <Select
                id="job-model"
                value={props.form.value.model}
                options={models}
                onChange$={(model) => {
                  props.form.value = { ...props.form.value, model }
                }}
              />
            </Field>
            <Field label={say("Thinking")} for="job-thinking">
              <Select
                id="job-thinking"
                value={props.form.value.thinking}
                options={LEVELS}
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
