import { $, component$, type Signal } from "@builder.io/qwik"
import { MAX_AFTER, MAX_RETRIES, MAX_RETRY_WAIT_MIN } from "../../../src/contract/board.ts"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { fieldText } from "../core/board/boardText.ts"
import { isWaiting, type TaskField, type TaskValues } from "../core/board/boardTypes.ts"
import { startOfValue, startValue } from "../core/board/startTime.ts"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say, sayCount } from "../core/language/say.ts"
import { Field } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Select } from "../ui/Select.tsx"
import { Switch } from "../ui/Switch.tsx"
import { useBoard } from "./BoardContext.ts"
import { CardPicker } from "./CardPicker.tsx"
import { ConflictNote } from "./ConflictNote.tsx"
import "./flow.css"

/** Minutes before another try, until others are chosen. */
const FIRST_WAIT = 5

interface CardChipProps {
  readonly id: string
  readonly onRemove$: () => unknown
}

/** A linked card by its title, which can be taken away. */
const CardChip = component$<CardChipProps>((props) => {
  const ui = useBoard()
  const card = ui.state.value.status === "ready" ? ui.store.find(props.id) : null
  const title = card === null ? say("A deleted card") : markUnseen(card.title, "prose")
  const isDone = card?.status === "done"
  return (
    <span class={["label-chip is-editable card-chip", card === null && "is-lost", isDone && "is-done"]}>
      {isDone && <Icon name="check" />}
      <span class="truncate">{title}</span>
      <button type="button" aria-label={say("Remove {item}", { item: title })} onClick$={() => props.onRemove$()}>
        <Icon name="x" />
      </button>
    </span>
  )
})

const TRIES = Array.from({ length: MAX_RETRIES + 1 }, (_, count) => ({
  value: String(count),
  label: count === 0 ? say("No more tries") : sayCount(count, "{count} more try", "{count} more tries")
}))

/** When a card starts: after which cards, as a part of which, from when on, and whether by itself. */
export const FlowFields = component$<{ readonly edit: Signal<TaskEdit> }>((props) => {
  const edit = props.edit.value
  const own = edit.base.id
  const after = valueOf(edit, "after")
  const parentId = valueOf(edit, "parentId")
  const start = startValue(valueOf(edit, "startAt"))
  const autoStart = valueOf(edit, "autoStart")
  const retry = valueOf(edit, "retry")
  const isManual = valueOf(edit, "assignee") === "operator"

  const set = $(<F extends TaskField>(field: F, value: TaskValues[F]) => {
    props.edit.value = edited(props.edit.value, field, value)
  })
  const setAfter = $((change: (ids: ReadonlyArray<string>) => ReadonlyArray<string>) => {
    const next = change(valueOf(props.edit.value, "after"))
    return set("after", next)
  })

  if (!isWaiting(edit.base) && after.length === 0 && parentId === null && start === "" && !autoStart) return null
  return (
    <div class="stack is-wide flow-fields" role="group" aria-label={say("When it starts")}>
      <Field label={fieldText("after")} for="task-after">
        <div class="stack gap-1 can-shrink">
          {after.length > 0 && (
            <ul class="plain-list wrap gap-1 card-chips" aria-label={fieldText("after")}>
              {after.map((id) => (
                <li key={id}>
                  <CardChip id={id} onRemove$={() => setAfter((ids) => ids.filter((other) => other !== id))} />
                </li>
              ))}
            </ul>
          )}
          {after.length < MAX_AFTER && (
            <CardPicker
              id="task-after"
              placeholder={after.length === 0 ? say("Add a card") : say("Add another card")}
              without={[own, ...after]}
              onPick$={(id: string) => setAfter((ids) => [...ids, id])}
            />
          )}
        </div>
      </Field>
      <div>
        <Field label={fieldText("parentId")} for="task-parent">
          {parentId === null ? (
            <CardPicker
              id="task-parent"
              placeholder={say("Add a card")}
              without={[own]}
              onPick$={(id: string) => set("parentId", id)}
            />
          ) : (
            <div class="card-chips">
              <CardChip id={parentId} onRemove$={() => set("parentId", null)} />
            </div>
          )}
        </Field>
        <ConflictNote edit={props.edit} field="parentId" />
      </div>
      <div>
        <Field label={fieldText("startAt")} for="task-start">
          <input
            id="task-start"
            class={["field", start === "" && "is-empty"]}
            type="datetime-local"
            data-invite={say("Add a time")}
            value={start}
            onChange$={(_, element) =>
              element.value === start ? undefined : set("startAt", startOfValue(element.value))
            }
          />
        </Field>
        <ConflictNote edit={props.edit} field="startAt" />
      </div>
      <div class="flow-auto">
        <Switch
          label={fieldText("autoStart")}
          hint={
            isManual
              ? say("Choose an agent first: what you do yourself can't start by itself.")
              : say("In “To do”, its agent begins as soon as nothing holds it.")
          }
          checked={autoStart}
          onChange$={(on) => set("autoStart", on)}
        />
        <ConflictNote edit={props.edit} field="autoStart" />
      </div>
      {(autoStart || retry !== null) && (
        <div>
          <Field label={say("After a failure")} for="task-retry">
            <div class="row wrap gap-2 flow-retry">
              <Select
                id="task-retry"
                value={String(retry?.max ?? 0)}
                options={TRIES}
                onChange$={(value) => {
                  const max = Number(value)
                  const waitMin = valueOf(props.edit.value, "retry")?.waitMin ?? FIRST_WAIT
                  return set("retry", max === 0 ? null : { max, waitMin })
                }}
              />
              {retry !== null && (
                <label class="row gap-2 small">
                  <span>{say("Minutes between tries")}</span>
                  <input
                    class="field"
                    type="number"
                    inputMode="numeric"
                    min="1"
                    max={MAX_RETRY_WAIT_MIN}
                    value={retry.waitMin}
                    onChange$={(_, element) => {
                      const waitMin = Math.min(MAX_RETRY_WAIT_MIN, Math.max(1, Math.round(Number(element.value)) || 1))
                      element.value = String(waitMin)
                      return set("retry", { max: valueOf(props.edit.value, "retry")?.max ?? 1, waitMin })
                    }}
                  />
                </label>
              )}
            </div>
          </Field>
          <ConflictNote edit={props.edit} field="retry" />
        </div>
      )}
    </div>
  )
})
