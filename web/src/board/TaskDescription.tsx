import { component$, type Signal, useSignal } from "@builder.io/qwik"
import { markUnseen } from "../../../src/contract/unseenCharacters.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { growWithText } from "../ui/growWithText.ts"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { UnseenNote } from "../ui/UnseenNote.tsx"
import { ConflictNote } from "./ConflictNote.tsx"
import { EditSwitch } from "./EditSwitch.tsx"

/** A card's description: to read once there is one, and to edit. */
export const TaskDescription = component$<{ readonly edit: Signal<TaskEdit> }>((props) => {
  const description = useSignal<HTMLTextAreaElement>()
  const text = valueOf(props.edit.value, "description") ?? ""
  const isEmpty = text.trim() === ""
  // What was begun goes on as it was left.
  const writing = useSignal(() => isEmpty || props.edit.value.changes.description !== undefined)

  useBrowserTask$(({ track }) => {
    track(() => [props.edit.value, writing.value])
    if (description.value !== undefined) growWithText(description.value)
  })

  return (
    <div class="field-row">
      <div class="row gap-2 task-description-head">
        <label for="task-description">{say("Description")}</label>
        {!isEmpty && (
          <EditSwitch
            writing={writing}
            for="task-description"
            edit={say("Edit description")}
            read={say("Preview description")}
          />
        )}
      </div>
      {!writing.value && !isEmpty ? (
        <div class="can-shrink break-words task-preview">
          <MarkdownText text={markUnseen(text, "prose")} streaming={false} />
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
            // It stays a field while the last word is replaced.
            writing.value = true
            props.edit.value = edited(props.edit.value, "description", element.value === "" ? null : element.value)
          }}
        />
      )}
      {writing.value && <UnseenNote text={text} />}
      <ConflictNote edit={props.edit} field="description" />
    </div>
  )
})
