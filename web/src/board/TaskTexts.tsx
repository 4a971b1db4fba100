import { component$, type Signal, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { growWithText } from "../ui/growWithText.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { ConflictNote } from "./ConflictNote.tsx"

interface TaskTextsProps {
  readonly edit: Signal<TaskEdit>
  /** Focuses the title. */
  readonly fresh: boolean
}

/** A card's title and description; the description as text or as a preview. */
export const TaskTexts = component$<TaskTextsProps>((props) => {
  const title = useSignal<HTMLTextAreaElement>()
  const description = useSignal<HTMLTextAreaElement>()
  const preview = useSignal(false)
  const text = valueOf(props.edit.value, "description") ?? ""

  useVisibleTask$(
    ({ track }) => {
      track(() => [props.edit.value, preview.value])
      for (const field of [title.value, description.value]) if (field !== undefined) growWithText(field)
    },
    { strategy: "document-ready" }
  )
  useVisibleTask$(
    ({ cleanup }) => {
      const field = title.value
      // A title is one line; Enter ends it.
      const onKey = (event: KeyboardEvent) => {
        if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        description.value?.focus()
      }
      field?.addEventListener("keydown", onKey)
      cleanup(() => field?.removeEventListener("keydown", onKey))
    },
    { strategy: "document-ready" }
  )

  return (
    <>
      <div class="field-row">
        <label for="task-title">Title</label>
        <textarea
          ref={title}
          id="task-title"
          class="field task-title-field"
          rows={1}
          maxLength={500}
          required
          data-autofocus={props.fresh ? "" : undefined}
          value={valueOf(props.edit.value, "title")}
          onInput$={(_, element) => {
            props.edit.value = edited(props.edit.value, "title", element.value.replace(/\s*\n\s*/g, " "))
          }}
        />
        <ConflictNote edit={props.edit} field="title" />
      </div>
      <div class="field-row">
        <div class="task-description-head">
          <label for="task-description">Description</label>
          {text.trim() !== "" && (
            <button
              type="button"
              class="button is-small"
              aria-pressed={preview.value ? "true" : "false"}
              onClick$={() => {
                preview.value = !preview.value
              }}
            >
              Preview
            </button>
          )}
        </div>
        {preview.value && text.trim() !== "" ? (
          <div class="task-preview">
            <MarkdownText text={text} streaming={false} />
          </div>
        ) : (
          <textarea
            ref={description}
            id="task-description"
            class="field task-description-field"
            rows={3}
            maxLength={10_000}
            placeholder="What needs doing, and how to tell it's done. Markdown is supported."
            value={text}
            onInput$={(_, element) => {
              props.edit.value = edited(props.edit.value, "description", element.value === "" ? null : element.value)
            }}
          />
        )}
        <ConflictNote edit={props.edit} field="description" />
      </div>
    </>
  )
})
