import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { growWithText } from "../chat/growWithText.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"

interface EditMemoryItemProps {
  readonly section: string
  /** The text the bullet had when rewriting began. */
  readonly original: string
  /** Somebody changed or removed that bullet since. */
  readonly isLost: boolean
}

/** A bullet being rewritten where it stands: Ctrl+Enter saves, Escape leaves it as it was unless something was typed. */
export const EditMemoryItem = component$<EditMemoryItemProps>((props) => {
  const app = useServices()
  const store = useConstant(() => knowledgeOf(app.console).memory)
  const field = useSignal<HTMLTextAreaElement>()
  const saving = useSignal(false)
  const problem = useSignal<string | null>(null)
  const actions = useConstant(() => ({ save: async () => {}, cancel: () => {} }))

  useVisibleTask$(
    ({ cleanup }) => {
      const area = field.value
      if (area === undefined) return
      const { section, original } = props
      area.value = store.typed({ section, original })
      growWithText(area)
      if (area.value === original) {
        area.focus()
        area.setSelectionRange(area.value.length, area.value.length)
      }
      actions.save = async () => {
        const text = area.value.trim()
        if (saving.value || text === "") return
        if (text === original && !props.isLost) return store.endEdit(section, original)
        saving.value = true
        problem.value = null
        const result = props.isLost
          ? await store.add({ text, section, category: "other", importance: 0.7 })
          : await store.editItem(section, original, text)
        saving.value = false
        if (result.ok) store.endEdit(section, original)
        else problem.value = result.message
      }
      actions.cancel = () => store.endEdit(section, original)
      const onInput = () => {
        store.keepEdit(section, original, area.value)
        growWithText(area)
      }
      const onKey = (event: KeyboardEvent) => {
        if (event.isComposing) return
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void actions.save()
        }
        if (event.key === "Escape" && area.value === original) {
          event.preventDefault()
          actions.cancel()
        }
      }
      area.addEventListener("input", onInput)
      area.addEventListener("keydown", onKey)
      cleanup(() => {
        area.removeEventListener("input", onInput)
        area.removeEventListener("keydown", onKey)
      })
    },
    { strategy: "document-ready" }
  )

  const save = $(() => actions.save())
  return (
    <form class="memory-edit" preventdefault:submit onSubmit$={save} aria-label="Edit a memory">
      {props.isLost && (
        <p class="memory-hint is-warning" role="alert">
          {`Somebody changed or removed this memory while you were editing it. It was: “${props.original}”`}
        </p>
      )}
      <textarea
        ref={field}
        class="field"
        rows={2}
        maxLength={10_000}
        aria-label="Memory"
        aria-invalid={problem.value === null ? undefined : "true"}
      />
      {problem.value !== null && (
        <p class="memory-hint is-warning" role="alert">
          {problem.value}
        </p>
      )}
      <div class="memory-edit-foot">
        <button type="button" class="button is-small" onClick$={() => actions.cancel()}>
          {props.isLost ? "Discard" : "Cancel"}
        </button>
        <button type="submit" class="button is-small is-primary" disabled={saving.value}>
          {props.isLost ? "Save as new" : "Save"}
        </button>
      </div>
    </form>
  )
})
