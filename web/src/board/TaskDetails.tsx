import { $, component$, type QRL, type Signal, useSignal } from "@builder.io/qwik"
import { TASK_PRIORITIES, THINKING_LEVELS } from "../../../src/contract/board.ts"
import { dayMoment } from "../../../src/contract/dueDay.ts"
import { wordOf } from "../../../src/contract/looseFields.ts"
import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import { StartPills } from "../agents/StartPills.tsx"
import { useReadable } from "../base/useReadable.ts"
import { assigneesOf, labelsOf } from "../core/board/boardFilter.ts"
import { actorText, dateValue, minutesText, priorityText } from "../core/board/boardText.ts"
import type { TaskField, TaskValues } from "../core/board/boardTypes.ts"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { thinkingText } from "../core/sessions/sessionChoices.ts"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"
import { useBoard } from "./BoardContext.ts"
import { ConflictNote } from "./ConflictNote.tsx"
import { FlowFields } from "./FlowFields.tsx"
import { LabelEditor } from "./LabelEditor.tsx"

interface MinutesFieldProps {
  readonly id: string
  readonly label: string
  /** The label with the unit of what is typed. */
  readonly unit: string
  /** Invites to enter something. */
  readonly invite: string
  /** Reads as a value, in hours and minutes, until it's changed. */
  readonly isInline: boolean
  readonly value: number | null
  readonly onChange$: QRL<(minutes: number | null) => unknown>
}

const minutesOf = (text: string): number | null => {
  const minutes = Number(text)
  return text.trim() === "" || !Number.isFinite(minutes) || minutes < 0 ? null : minutes
}

/** A length of time, entered in minutes. */
const MinutesField = component$<MinutesFieldProps>((props) => (
  <Field label={props.isInline ? props.label : props.unit} for={props.id}>
    <div class={["minutes-field", props.isInline && "is-inline"]}>
      <input
        id={props.id}
        class="field"
        type="number"
        inputMode="numeric"
        min="0"
        step="any"
        aria-label={props.unit}
        placeholder={props.isInline ? props.invite : "–"}
        value={props.value ?? ""}
        onInput$={(_, element) => props.onChange$(minutesOf(element.value))}
      />
      {props.isInline && props.value !== null && <span aria-hidden="true">{minutesText(props.value)}</span>}
    </div>
  </Field>
))

interface TaskDetailsProps {
  readonly edit: Signal<TaskEdit>
  /** The card already exists, so the time spent on it can be entered. */
  readonly existing: boolean
}

/** A value no actor has. */
const OTHER = "other"

const PEOPLE = [
  { value: "", label: say("Unassigned") },
  { value: "operator", label: say("You") }
]

const PRIORITIES = TASK_PRIORITIES.map((value) => ({ value, label: priorityText(value) }))

const THINKING = [
  { value: "", label: say("Agent default") },
  ...THINKING_LEVELS.map((level) => ({ value: level, label: thinkingText(level) }))
]

/** A card's short fields: who, where, with which model, when and how much. */
export const TaskDetails = component$<TaskDetailsProps>((props) => {
  const ui = useBoard()
  const choices = useReadable(ui.choices.state)
  const naming = useSignal(false)
  const edit = props.edit.value
  const { columns, config } = ui.state.value
  const assignee = valueOf(edit, "assignee") ?? ""
  const due = dateValue(valueOf(edit, "dueAt"))
  const known = [...new Set([...choices.value.agents, ...assigneesOf(columns), assignee])].filter((actor) =>
    actor.startsWith("agent:")
  )
  const defaultModel = config?.defaultModel ?? null

  const set = $(<F extends TaskField>(field: F, value: TaskValues[F]) => {
    props.edit.value = edited(props.edit.value, field, value)
  })

  return (
    <div class="stack gap-4 task-details">
      <div class="is-wide">
        <StartPills
          id="task"
          gatewayId={valueOf(edit, "gatewayId") ?? PRIMARY}
          onGateway$={(value: string) => set("gatewayId", value === PRIMARY ? null : value)}
          agent={naming.value ? OTHER : assignee}
          agentLabel={say("Assignee")}
          agentPrefix="agent:"
          agentsBefore={PEOPLE}
          agentsAfter={[
            ...known.map((actor) => ({ value: actor, label: actorText(actor) })),
            { value: OTHER, label: say("Another agent…") }
          ]}
          onAgent$={(value: string) => {
            naming.value = value === OTHER
            return naming.value ? undefined : set("assignee", value === "" ? null : value)
          }}
          model={{
            value: valueOf(edit, "model") ?? "",
            none: defaultModel === null ? say("Board default") : say("Board: {model}", { model: defaultModel })
          }}
          onModel$={(value: string) => set("model", value === "" ? null : value)}
        />
        {naming.value && (
          <input
            class="field task-agent-name"
            type="text"
            aria-label={say("Agent name")}
            placeholder={say("Agent name")}
            maxLength={190}
            onInput$={(_, element) => {
              const name = element.value.trim()
              return set("assignee", name === "" ? null : `agent:${name}`)
            }}
          />
        )}
        <ConflictNote edit={props.edit} field="assignee" />
        <ConflictNote edit={props.edit} field="gatewayId" />
        <ConflictNote edit={props.edit} field="model" />
      </div>
      <div>
        <Field label={say("Priority")} for="task-priority">
          <Select
            id="task-priority"
            value={valueOf(edit, "priority")}
            options={PRIORITIES}
            onChange$={(value) => set("priority", wordOf(TASK_PRIORITIES, value) ?? "normal")}
          />
        </Field>
        <ConflictNote edit={props.edit} field="priority" />
      </div>
      <div class="is-wide">
        <Field label={say("Labels")} for="task-labels">
          <LabelEditor
            id="task-labels"
            labels={valueOf(edit, "labels")}
            known={labelsOf(columns)}
            onChange$={(change) => set("labels", change(valueOf(props.edit.value, "labels")))}
          />
        </Field>
      </div>
      <div class="task-times is-wide">
        <div>
          <Field label={say("Due date")} for="task-due">
            <input
              id="task-due"
              class={["field", due === "" && "is-empty"]}
              type="date"
              data-invite={say("Add a date")}
              value={due}
              onChange$={(_, element) =>
                element.value === due ? undefined : set("dueAt", dayMoment(element.value) ?? null)
              }
            />
          </Field>
          <ConflictNote edit={props.edit} field="dueAt" />
        </div>
        <div>
          <MinutesField
            id="task-estimate"
            label={say("Estimate")}
            unit={say("Estimate (minutes)")}
            invite={say("Add an estimate")}
            isInline={props.existing}
            value={valueOf(edit, "estimateMin")}
            onChange$={(minutes) => set("estimateMin", minutes)}
          />
          <ConflictNote edit={props.edit} field="estimateMin" />
        </div>
        {props.existing && (
          <div>
            <MinutesField
              id="task-actual"
              label={say("Time spent")}
              unit={say("Time spent (minutes)")}
              invite={say("Add a time")}
              isInline
              value={valueOf(edit, "actualMin")}
              onChange$={(minutes) => set("actualMin", minutes)}
            />
            <ConflictNote edit={props.edit} field="actualMin" />
          </div>
        )}
      </div>
      <FlowFields edit={props.edit} />
      <div>
        <Field label={say("Thinking")} for="task-thinking">
          <Select
            id="task-thinking"
            value={valueOf(edit, "thinking") ?? ""}
            options={THINKING}
            onChange$={(value) => set("thinking", wordOf(THINKING_LEVELS, value))}
          />
        </Field>
        <ConflictNote edit={props.edit} field="thinking" />
      </div>
    </div>
  )
})
