import { $, component$, type QRL, type Signal } from "@builder.io/qwik"
import { momentText, ownZone, weekdayName } from "../../core/common/dateText.ts"
import { pageLocale, say } from "../../core/language/say.ts"
import { nextRuns, readSchedule } from "../../core/operations/schedule.ts"
import {
  type IntervalUnit,
  type Repeat,
  type ScheduleField,
  type ScheduleForm,
  scheduleOf
} from "../../core/operations/scheduleForm.ts"
import { scheduleWords } from "../../core/operations/scheduleWords.ts"
import { zoneNames } from "../../core/operations/zones.ts"
import { Field } from "../../ui/Field.tsx"
import { Select, type SelectOption } from "../../ui/Select.tsx"

interface ScheduleFieldsProps {
  readonly schedule: ScheduleForm
  readonly onChange$: QRL<(schedule: ScheduleForm) => unknown>
  readonly fault: Signal<{ readonly field: string | null; readonly message: string } | null>
  /** The zone of a schedule that names none: the gateway's. */
  readonly zone: string
  /** Only what a cron expression can say, always with its own zone. */
  readonly isCron?: boolean
}

const REPEATS: ReadonlyArray<SelectOption & { readonly value: Repeat }> = [
  { value: "daily", label: say("Every day") },
  { value: "weekly", label: say("On certain weekdays") },
  { value: "monthly", label: say("Every month") },
  { value: "every", label: say("At intervals") },
  { value: "once", label: say("Once") },
  { value: "cron", label: say("Cron expression") }
]
/** For a schedule that these fields can't express. */
const KEPT = { value: "other", label: say("Keep as is") }
const UNITS: ReadonlyArray<{ readonly value: IntervalUnit; readonly label: string }> = [
  { value: "minutes", label: say("Minutes") },
  { value: "hours", label: say("Hours") },
  { value: "days", label: say("Days") }
]
/** From Monday on, counted from Sunday = 0. */
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0]
const SHOWN_RUNS = 3
const CRON_REPEATS = REPEATS.filter(({ value }) => value !== "every" && value !== "once")

const repeatOf = (text: string): Repeat => REPEATS.find(({ value }) => value === text)?.value ?? "other"
const unitOf = (text: string): IntervalUnit => UNITS.find(({ value }) => value === text)?.value ?? "minutes"

/** The form with another kind of repeat; the cron expression starts with what the plain fields said. */
const withRepeat = (form: ScheduleForm, repeat: Repeat, zone: string): ScheduleForm => {
  const before = scheduleOf(form, zone, 0)
  const schedule = before.ok && before.schedule !== undefined ? readSchedule(before.schedule) : null
  return { ...form, repeat, cron: repeat === "cron" && schedule?.kind === "cron" ? schedule.expression : form.cron }
}

/** What the form means: in words with the next runs, or what is wrong with it. */
const preview = (
  form: ScheduleForm,
  zone: string
): { readonly words: string; readonly runs: ReadonlyArray<string> } => {
  const now = Date.now()
  const result = scheduleOf(form, zone, now)
  if (!result.ok) return { words: result.message, runs: [] }
  if (result.schedule === undefined) return { words: say("The schedule stays the same."), runs: [] }
  const schedule = readSchedule(result.schedule)
  const shown = form.zone === "" ? zone : form.zone
  const runs = nextRuns(schedule, { zone, after: now, count: SHOWN_RUNS }).map((at) => momentText(at, shown))
  const unknown = runs.length === 0 ? say(". The gateway decides when it runs next.") : ""
  return { words: `${scheduleWords(schedule, shown)}${unknown}`, runs }
}

/** When a job runs, in plain fields or as a cron expression, with its meaning. */
export const ScheduleFields = component$<ScheduleFieldsProps>((props) => {
  const { schedule } = props
  const { repeat, unit, zone: chosenZone } = schedule
  const change = $((fields: Partial<ScheduleForm>) => props.onChange$({ ...props.schedule, ...fields }))
  const problem = (field: ScheduleField) => (props.fault.value?.field === field ? props.fault.value.message : null)
  const everyProblem = problem("every")
  const timeProblem = problem("time")
  const dayProblem = problem("monthDay")
  const dateProblem = problem("date")
  const cronProblem = problem("cron")
  const zoneProblem = problem("zone")
  const weekdaysProblem = problem("weekdays")
  const gatewayZone = props.zone
  const isCron = props.isCron === true
  const { words, runs } = preview(schedule, gatewayZone)
  const hasTime = repeat === "daily" || repeat === "weekly" || repeat === "monthly" || repeat === "once"

  return (
    <fieldset class="stack gap-4 form-group">
      <legend>{say("When")}</legend>
      <div class="stack gap-3 form-line">
        <Field label={say("Repeat")} for="job-repeat">
          <Select
            id="job-repeat"
            value={repeat}
            options={isCron ? CRON_REPEATS : repeat === "other" ? [KEPT, ...REPEATS] : REPEATS}
            onChange$={(value) => props.onChange$(withRepeat(props.schedule, repeatOf(value), props.zone))}
          />
        </Field>
        {repeat === "every" && (
          <>
            <Field label={say("Every")} for="job-every" error={everyProblem}>
              <input
                id="job-every"
                class="field"
                type="text"
                inputMode="numeric"
                autocomplete="off"
                aria-invalid={everyProblem === null ? undefined : "true"}
                aria-describedby="job-every-hint"
                value={schedule.every}
                onInput$={(_, element) => change({ every: element.value })}
              />
            </Field>
            <Field label={say("Unit")} for="job-unit">
              <Select
                id="job-unit"
                value={unit}
                options={UNITS}
                onChange$={(value) => change({ unit: unitOf(value) })}
              />
            </Field>
          </>
        )}
        {repeat === "once" && (
          <Field label={say("Date")} for="job-date" error={dateProblem}>
            <input
              id="job-date"
              class="field"
              type="date"
              aria-invalid={dateProblem === null ? undefined : "true"}
              aria-describedby="job-date-hint"
              value={schedule.date}
              onInput$={(_, element) => change({ date: element.value })}
            />
          </Field>
        )}
        {repeat === "monthly" && (
          <Field label={say("Day")} for="job-day" error={dayProblem} hint={say("Months without this day are skipped.")}>
            <input
              id="job-day"
              class="field"
              type="text"
              inputMode="numeric"
              autocomplete="off"
              aria-invalid={dayProblem === null ? undefined : "true"}
              aria-describedby="job-day-hint"
              value={schedule.monthDay}
              onInput$={(_, element) => change({ monthDay: element.value })}
            />
          </Field>
        )}
        {hasTime && (
          <Field label={say("Time")} for="job-time" error={timeProblem}>
            <input
              id="job-time"
              class="field"
              type="time"
              aria-invalid={timeProblem === null ? undefined : "true"}
              aria-describedby="job-time-hint"
              value={schedule.time}
              onInput$={(_, element) => change({ time: element.value })}
            />
          </Field>
        )}
      </div>
      {repeat === "weekly" && (
        <fieldset class="wrap gap-2 weekdays" aria-describedby="job-weekdays-hint">
          <legend class="visually-hidden">{say("Days of the week")}</legend>
          {WEEKDAYS.map((day) => (
            <label key={day} class="weekday">
              <input
                type="checkbox"
                class="visually-hidden"
                checked={schedule.weekdays.includes(day)}
                onChange$={(_, element) => {
                  const others = props.schedule.weekdays.filter((other) => other !== day)
                  return change({ weekdays: element.checked ? [...others, day] : others })
                }}
              />
              <span>{weekdayName(day, pageLocale, "short")}</span>
            </label>
          ))}
          <p id="job-weekdays-hint" class="field-hint is-error" aria-live="polite">
            {weekdaysProblem}
          </p>
        </fieldset>
      )}
      {repeat === "cron" && (
        <Field
          label={say("Cron expression")}
          for="job-cron"
          error={cronProblem}
          hint={say("Minute, hour, day of the month, month, weekday. For example 0 9 * * 1-5.")}
        >
          <input
            id="job-cron"
            class="field is-code"
            type="text"
            autocomplete="off"
            autoCapitalize="off"
            spellcheck={false}
            aria-invalid={cronProblem === null ? undefined : "true"}
            aria-describedby="job-cron-hint"
            value={schedule.cron}
            onInput$={(_, element) => change({ cron: element.value })}
          />
        </Field>
      )}
      {repeat !== "every" && repeat !== "other" && (
        <Field label={say("Time zone")} for="job-zone" error={zoneProblem}>
          <Select
            id="job-zone"
            value={chosenZone}
            options={[
              ...(isCron ? [] : [{ value: "", label: say("Gateway's time zone ({gatewayZone})", { gatewayZone }) }]),
              ...zoneNames(schedule.zone, ownZone(), gatewayZone).map((name) => ({ value: name, label: name }))
            ]}
            invalid={zoneProblem !== null}
            describedBy="job-zone-hint"
            onChange$={(zone) => change({ zone })}
          />
        </Field>
      )}
      <div class="schedule-preview" aria-live="polite">
        <p class="strong break-words">{words}</p>
        {runs.length > 0 && (
          <ol class="plain-list">
            {runs.map((run) => (
              <li key={run}>{run}</li>
            ))}
          </ol>
        )}
      </div>
    </fieldset>
  )
})
