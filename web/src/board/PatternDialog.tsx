import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { MAX_PATTERN_NAME } from "../../../src/contract/board.ts"
import type { Routine } from "../../../src/contract/schema/routine.ts"
import type { TaskTemplate } from "../../../src/contract/schema/template.ts"
import { useServices } from "../base/AppContext.ts"
import { routinesOf } from "../core/board/RoutinesStore.ts"
import { patternEdit, patternName, patternOf, titled } from "../core/board/taskPattern.ts"
import { ownZone } from "../core/common/dateText.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"
import { readSchedule } from "../core/operations/schedule.ts"
import { newScheduleForm, scheduleForm, scheduleOf } from "../core/operations/scheduleForm.ts"
import { ScheduleFields } from "../operations/crons/ScheduleFields.tsx"
import "../operations/crons/crons.css"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Switch } from "../ui/Switch.tsx"
import { useBoard } from "./BoardContext.ts"
import { announce } from "./boardActions.ts"
import { TaskDetails } from "./TaskDetails.tsx"
import { TaskDescription } from "./TaskTexts.tsx"
import { TaskTitle } from "./TaskTitle.tsx"

/** What is edited; null for a new one. */
export type PatternAsked =
  | { readonly kind: "routine"; readonly item: Routine | null }
  | { readonly kind: "template"; readonly item: TaskTemplate | null }

interface PatternDialogProps {
  readonly asked: PatternAsked
  readonly onClose$: QRL<() => unknown>
}

const titleOf = ({ item, kind }: PatternAsked): string => {
  if (kind === "routine") return item === null ? say("New recurring card") : say("Edit recurring card")
  return item === null ? say("New template") : say("Edit template")
}

/** The form of a recurring card or a template: its name, what its cards begin with, and when it comes. */
export const PatternDialog = component$<PatternDialogProps>((props) => {
  const app = useServices()
  const ui = useBoard()
  const store = useConstant(() => routinesOf(app.client))
  const routine = useConstant(() => (props.asked.kind === "routine" ? props.asked.item : null))
  const zone = useConstant(() => routine?.schedule.zone ?? ownZone())
  const name = useSignal(() => props.asked.item?.name ?? "")
  const edit = useSignal(() => patternEdit(props.asked.item?.task ?? null, ui.state.value.config))
  const schedule = useSignal(() =>
    routine === null
      ? newScheduleForm(zone, Date.now())
      : scheduleForm(readSchedule({ kind: "cron", expr: routine.schedule.cron, tz: zone }), zone, Date.now())
  )
  const skips = useSignal(() => routine?.skipWhileOpen ?? true)
  const fault = useSignal<{ readonly field: string | null; readonly message: string } | null>(null)
  const busy = useSignal(false)
  const isRoutine = props.asked.kind === "routine"
  const when = schedule.value

  const fail = $((field: string | null, message: string, focus: string) => {
    fault.value = { field, message }
    document.getElementById(focus)?.focus()
  })

  const save = $(async () => {
    if (busy.value) return
    fault.value = null
    const pattern = patternOf(edit.value, props.asked.item?.task ?? null)
    const called = name.value.trim() || patternName(pattern.title ?? "")
    if (called === "") return fail("name", say("It needs a name."), "pattern-name")
    const task = titled(pattern)
    if (isRoutine && task === null) return fail(null, say("A card needs a title."), "task-title")
    const times = isRoutine ? scheduleOf(schedule.value, zone, Date.now()) : null
    if (times !== null && !times.ok) return fail(times.field, times.message, `job-${times.field}`)
    const read = times === null ? null : readSchedule(times.schedule)
    busy.value = true
    const saved =
      props.asked.kind === "template" || task === null || read?.kind !== "cron"
        ? await store.saveTemplate(props.asked.item, { name: called, task: pattern })
        : await store.saveRoutine(props.asked.item, {
            name: called,
            task,
            skipWhileOpen: skips.value,
            schedule: { cron: read.expression, zone: read.zone ?? zone }
          })
    busy.value = false
    if (!saved.ok) return fail(null, saved.message, "pattern-name")
    announce(ui, say("{name} saved.", { name: quotedTitle(called) }))
    await props.onClose$()
  })

  const title = titleOf(props.asked)
  const { onClose$ } = props
  const message = fault.value?.field === null ? fault.value.message : ""
  const nameProblem = fault.value?.field === "name" ? fault.value.message : null
  return (
    <Dialog title={title} size="medium" keepOnBackdrop onClose$={onClose$}>
      <form id="pattern-form" class="stack gap-4 can-shrink" preventdefault:submit noValidate onSubmit$={save}>
        <TaskTitle edit={edit} fresh />
        {isRoutine && (
          <p class="soft small">
            {say("In the title, {dateMark} becomes the day and {countMark} the number of the card.", {
              dateMark: "{date}",
              countMark: "{n}"
            })}
          </p>
        )}
        <TaskDescription edit={edit} />
        {isRoutine && (
          <ScheduleFields
            schedule={when}
            onChange$={(next) => {
              schedule.value = next
            }}
            fault={fault}
            zone={zone}
            isCron
          />
        )}
        {isRoutine && (
          <Switch
            label={say("Wait until the last one is over")}
            hint={say("No new card comes while the last one is neither done nor cancelled.")}
            checked={skips.value}
            onChange$={(on) => {
              skips.value = on
            }}
          />
        )}
        <TaskDetails edit={edit} existing={false} />
        <Field label={say("Name")} for="pattern-name" hint={say("The title, if it's left empty.")} error={nameProblem}>
          <input
            id="pattern-name"
            class="field"
            type="text"
            maxLength={MAX_PATTERN_NAME}
            autocomplete="off"
            aria-describedby="pattern-name-hint"
            bind:value={name}
          />
        </Field>
        <p class="form-problem" role="alert">
          {message}
        </p>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onClose$()}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="pattern-form" class="button is-primary" disabled={busy.value}>
        {busy.value ? say("Saving…") : say("Save")}
      </button>
    </Dialog>
  )
})
