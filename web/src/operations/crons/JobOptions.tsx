import { component$, type Signal } from "@builder.io/qwik"
import type { Model } from "../../../../src/contract/answers/GatewayAnswers.ts"
import { say } from "../../core/language/say.ts"
import type { JobForm } from "../../core/operations/jobForm.ts"
import { Field } from "../../ui/Field.tsx"

interface JobOptionsProps {
  readonly form: Signal<JobForm>
  readonly isNew: boolean
  readonly models: ReadonlyArray<Model>
}

const LEVELS = ["off", "minimal", "low", "medium", "high"]

/** A list's choices, with the current one in front if it isn't among them. */
const withPresent = (choices: ReadonlyArray<readonly [string, string]>, present: string) =>
  choices.some(([value]) => value === present) ? choices : [[present, present] as const, ...choices]

/** Where a job runs, with which model, and where its response goes. */
export const JobOptions = component$<JobOptionsProps>((props) => {
  const form = props.form.value
  const channels = withPresent(
    [
      ["", say("Nowhere else (read it here)")],
      ["last", say("The last used channel")]
    ],
    form.channel
  )
  const models = withPresent(
    [["", say("Agent default")], ...props.models.map(({ id, label }) => [id, label] as const)],
    form.model
  )
  const levels = withPresent(
    [["", say("Model default")], ...LEVELS.map((level) => [level, level] as const)],
    form.thinking
  )
  return (
    <details class="form-more" open={form.model !== "" || form.thinking !== "" || form.channel !== ""}>
      <summary>{say("Model, session and delivery")}</summary>
      <div class="form-line">
        {props.isNew && (
          <Field label={say("Runs in")} for="job-target" hint={say("You can't choose a model for the main session.")}>
            <select
              id="job-target"
              class="field"
              aria-describedby="job-target-hint"
              onChange$={(_, element) => {
                props.form.value = { ...props.form.value, isMain: element.value === "main" }
              }}
            >
              <option value="own" selected={!form.isMain}>
                {say("Its own session")}
              </option>
              <option value="main" selected={form.isMain}>
                {say("The main session")}
              </option>
            </select>
          </Field>
        )}
        {!form.isMain && (
          <>
            <Field label={say("Model")} for="job-model">
              <select
                id="job-model"
                class="field"
                onChange$={(_, element) => {
                  props.form.value = { ...props.form.value, model: element.value }
                }}
              >
                {models.map(([value, label]) => (
                  <option key={value} value={value} selected={value === form.model}>
                    {label}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={say("Thinking")} for="job-thinking">
              <select
                id="job-thinking"
                class="field"
                onChange$={(_, element) => {
                  props.form.value = { ...props.form.value, thinking: element.value }
                }}
              >
                {levels.map(([value, label]) => (
                  <option key={value} value={value} selected={value === form.thinking}>
                    {label}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={say("Send response to")} for="job-channel">
              <select
                id="job-channel"
                class="field"
                onChange$={(_, element) => {
                  props.form.value = { ...props.form.value, channel: element.value }
                }}
              >
                {channels.map(([value, label]) => (
                  <option key={value} value={value} selected={value === form.channel}>
                    {label}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
      </div>
    </details>
  )
})
