import { component$, type Signal, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { growWithText } from "../ui/growWithText.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { ConflictNote } from "./ConflictNote.tsx"

/** A card's description, as text or as a preview. */
export const TaskDescription = component$<{ readonly edit: Signal<TaskEdit> }>((props) => {
  const description = useSignal<HTMLTextAreaElement>()
  const preview = useSignal(false)
  const text = valueOf(props.edit.value, "description") ?? ""

  useVisibleTask$(
    ({ track }) => {
      track(() => [props.edit.value, preview.value])
      if (description.value !== undefined) growWithText(description.value)
    },
    { strategy: "document-ready" }
  )

  return (
    <div class="field-row">
      <div class="task-description-head">
        <label for="task-description">{say("Description")}</label>
        {text.trim() !== "" && (
          <button
            type="button"
            class="button is-small"
            aria-pressed={preview.value ? "true" : "false"}
            onClick$={() => {
              preview.value = !preview.value
            }}
          >
            {say("Preview")}
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
          placeholder={say("What needs doing, and how to tell it's done. Markdown is supported.")}
          value={text}
          onInput$={(_, element) => {
            props.edit.value = edited(props.edit.value, "description", element.value === "" ? null : element.value)
          }}
        />
      )}
      <ConflictNote edit={props.edit} field="description" />
    </div>
  )
})
