import { $, component$, type QRL, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { labelsOf } from "../core/board/boardFilter.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useBoard } from "./BoardContext.ts"

interface LabelEditorProps {
  readonly id: string
  readonly labels: ReadonlyArray<string>
  /** Labels used elsewhere on the board. */
  readonly known: ReadonlyArray<string>
  /** Receives the change to make: the labels shown here may be older than the last one. */
  readonly onChange$: QRL<(change: (labels: ReadonlyArray<string>) => ReadonlyArray<string>) => void>
}

/** What the server accepts. */
const MAX_LABELS = 50
const MAX_LENGTH = 100
const SUGGESTED = 30

/** Labels as chips; Enter or a comma adds one, Backspace in the empty field removes the last one. */
export const LabelEditor = component$<LabelEditorProps>((props) => {
  const input = useSignal<HTMLInputElement>()
  const { id, labels } = props

  const add = $((text: string) => {
    const fresh = text
      .split(",")
      .map((label) => label.trim().slice(0, MAX_LENGTH))
      .filter((label) => label !== "")
    if (fresh.length === 0) return
    return props.onChange$((labels) => [...new Set([...labels, ...fresh])].slice(0, MAX_LABELS))
  })

  useBrowserTask$(({ cleanup }) => {
    const field = input.value
    if (field === undefined) return
    field.setAttribute("list", `${field.id}-known`)
    const addTyped = () => {
      const { value } = field
      field.value = ""
      void add(value)
    }
    const onKey = (event: KeyboardEvent) => {
      if ((event.key === "Enter" && field.value.trim() !== "") || event.key === ",") {
        event.preventDefault()
        event.stopPropagation()
        addTyped()
      } else if (event.key === "Backspace" && field.value === "" && props.labels.length > 0) {
        event.preventDefault()
        void props.onChange$((labels) => labels.slice(0, -1))
      }
    }
    field.addEventListener("keydown", onKey)
    field.addEventListener("change", addTyped)
    cleanup(() => {
      field.removeEventListener("keydown", onKey)
      field.removeEventListener("change", addTyped)
    })
  })

  return (
    <div class="row wrap gap-1 label-editor field">
      <ul class="plain-list label-list" aria-label={say("Labels")}>
        {labels.map((label) => (
          <li key={label} class="label-chip is-editable">
            <span>{label}</span>
            <button
              type="button"
              aria-label={say("Remove label {label}", { label })}
              onClick$={() => {
                input.value?.focus()
                return props.onChange$((labels) => labels.filter((other) => other !== label))
              }}
            >
              <Icon name="x" />
            </button>
          </li>
        ))}
      </ul>
      <input
        ref={input}
        id={id}
        type="text"
        maxLength={MAX_LENGTH}
        autocomplete="off"
        placeholder={say("Add a label")}
        aria-describedby={`${id}-hint`}
        disabled={labels.length >= MAX_LABELS}
      />
      <datalist id={`${id}-known`}>
        {props.known
          .filter((label) => !labels.includes(label))
          .slice(0, SUGGESTED)
          .map((label) => (
            <option key={label} value={label} />
          ))}
      </datalist>
    </div>
  )
})

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
