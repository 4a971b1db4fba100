import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { labelsOf } from "../core/board/boardFilter.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { useBoard } from "./BoardContext.ts"
import { LabelEditor } from "./LabelEditor.tsx"

interface LabelDialogProps {
  readonly ids: ReadonlyArray<string>
  readonly onClose$: QRL<() => void>
  readonly onSave$: QRL<(add: ReadonlyArray<string>, remove: ReadonlyArray<string>) => unknown>
}

/** Adds labels to several cards, or removes them. */
export const LabelDialog = component$<LabelDialogProps>((props) => {
  const ui = useBoard()
  const add = useSignal<ReadonlyArray<string>>([])
  const remove = useSignal<ReadonlyArray<string>>([])
  const used = [...new Set(props.ids.flatMap((id) => ui.store.find(id)?.labels ?? []))].sort()
  return (
    <Dialog title={say("Labels of the selected cards")} size="small" onClose$={props.onClose$}>
      <div class="stack gap-4 can-shrink settings-form">
        <Field label={say("Add")} for="bulk-labels" hint={say("Press Enter or type a comma after each label.")}>
          <LabelEditor
            id="bulk-labels"
            labels={add.value}
            known={labelsOf(ui.state.value.columns)}
            onChange$={(change) => {
              add.value = change(add.value)
            }}
          />
        </Field>
        {used.length > 0 && (
          <fieldset>
            <legend>{say("Remove")}</legend>
            <ul class="plain-list label-checks">
              {used.map((label) => (
                <li key={label}>
                  <label>
                    <input
                      type="checkbox"
                      onChange$={(_, element) => {
                        remove.value = element.checked
                          ? [...remove.value, label]
                          : remove.value.filter((other) => other !== label)
                      }}
                    />
                    <span>{label}</span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        )}
      </div>
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onClose$()}>
        {say("Cancel")}
      </button>
      <button
        q:slot="foot"
        type="button"
        class="button is-primary"
        disabled={add.value.length === 0 && remove.value.length === 0}
        onClick$={() => props.onSave$(add.value, remove.value)}
      >
        {say("Save labels")}
      </button>
    </Dialog>
  )
})
