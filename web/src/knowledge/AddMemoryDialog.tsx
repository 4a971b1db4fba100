import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Select } from "../ui/Select.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"

interface AddMemoryDialogProps {
  /** The section selected at first; empty for none. */
  readonly section: string
  /** The existing sections. */
  readonly sections: ReadonlyArray<string>
  readonly onClose$: QRL<() => void>
}

const CATEGORIES = [
  { value: "fact", label: say("Fact") },
  { value: "preference", label: say("Preference") },
  { value: "decision", label: say("Decision") },
  { value: "entity", label: say("Person or thing") },
  { value: "other", label: say("Other") }
]
const IMPORTANCES = [
  { value: "0.3", label: say("Low") },
  { value: "0.7", label: say("Normal") },
  { value: "1", label: say("High") }
]

// An attribute missing from the element types.
const SUGGESTIONS = { list: "memory-sections" }

/** Adds a bullet to a section, which is created if it doesn't exist. */
export const AddMemoryDialog = component$<AddMemoryDialogProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.memory)
  const text = useSignal(() => store.newText())
  const section = useSignal(props.section)
  const category = useSignal("fact")
  const importance = useSignal("0.7")
  const saving = useSignal(false)
  const problem = useSignal<string | null>(null)

  const save = $(async () => {
    if (saving.value || text.value.trim() === "") return
    saving.value = true
    problem.value = null
    const memory = {
      text: text.value,
      section: section.value.trim() === "" ? say("General") : section.value.trim(),
      category: category.value,
      importance: Number(importance.value)
    }
    const result = await store.add(memory)
    saving.value = false
    if (!result.ok) {
      problem.value = result.message
      return
    }
    if (!result.value.written) {
      problem.value = say("“{section}” already has this.", { section: memory.section })
      return
    }
    store.keepNewText("")
    if (result.value.storeProblem !== null)
      app.notices.show(
        "info",
        say("Saved, but not added to the gateway's memory search: {problem}", {
          problem: result.value.storeProblem
        })
      )
    await props.onClose$()
  })

  return (
    <Dialog title={say("Add a memory")} keepOnBackdrop onClose$={() => props.onClose$()}>
      <form id="add-memory" class="stack gap-3" preventdefault:submit onSubmit$={save}>
        <Field label={say("What to remember")} for="memory-text" error={problem.value}>
          <textarea
            id="memory-text"
            class="field"
            rows={4}
            maxLength={10_000}
            required
            data-autofocus
            aria-describedby="memory-text-hint"
            value={text.value}
            onKeyDown$={(event, element) => {
              if (event.key !== "Enter" || event.shiftKey) return
              event.preventDefault()
              element.form?.requestSubmit()
            }}
            onInput$={(_, element) => {
              text.value = element.value
              store.keepNewText(element.value)
            }}
          />
        </Field>
        <Field label={say("Section")} for="memory-section" hint={say("Choose one or type a new name.")}>
          <input
            id="memory-section"
            class="field"
            {...SUGGESTIONS}
            maxLength={200}
            placeholder={say("General")}
            autocomplete="off"
            aria-describedby="memory-section-hint"
            bind:value={section}
          />
        </Field>
        <datalist id="memory-sections">
          {props.sections.map((title, index) => (
            <option key={`${index}-${title}`} value={title} />
          ))}
        </datalist>
        <div class="stack gap-3 memory-choices">
          <Field label={say("Kind")} for="memory-category">
            <Select id="memory-category" chosen={category} options={CATEGORIES} />
          </Field>
          <Field label={say("Importance")} for="memory-importance">
            <Select id="memory-importance" chosen={importance} options={IMPORTANCES} />
          </Field>
        </div>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={() => props.onClose$()}>
        {say("Cancel")}
      </button>
      <button
        q:slot="foot"
        type="submit"
        form="add-memory"
        class="button is-primary"
        disabled={saving.value || text.value.trim() === ""}
      >
        {saving.value ? say("Saving…") : say("Add")}
      </button>
    </Dialog>
  )
})
