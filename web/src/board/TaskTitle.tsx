import { component$, type Signal, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { draftOf, edited, type TaskEdit, valueOf } from "../core/board/taskEdit.ts"
import { say } from "../core/language/say.ts"
import { growWithText } from "../ui/growWithText.ts"
import { UnseenNote } from "../ui/UnseenNote.tsx"
import { ConflictNote } from "./ConflictNote.tsx"

interface TaskTitleProps {
  readonly edit: Signal<TaskEdit>
  /** A new card's: it's labelled and takes the focus. */
  readonly fresh: boolean
}

/** A card's title, edited in place. */
export const TaskTitle = component$<TaskTitleProps>((props) => {
  const title = useSignal<HTMLTextAreaElement>()

  useBrowserTask$(({ track }) => {
    track(() => props.edit.value)
    if (title.value !== undefined) growWithText(title.value)
  })
  useBrowserTask$(({ cleanup }) => {
    const field = title.value
    // A title is one line; Enter ends it.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      const next = "#task-description, .task-description-head [data-edit-switch]"
      document.querySelector<HTMLElement>(next)?.focus()
    }
    field?.addEventListener("keydown", onKey)
    cleanup(() => field?.removeEventListener("keydown", onKey))
  })

  return (
    <div class="field-row">
      <label for="task-title" class={props.fresh ? undefined : "visually-hidden"}>
        {say("Title")}
      </label>
      <textarea
        ref={title}
        id="task-title"
        class={["field task-title-field", !props.fresh && "is-in-place"]}
        rows={1}
        maxLength={500}
        required
        data-autofocus={props.fresh ? "" : undefined}
        value={valueOf(props.edit.value, "title")}
        onInput$={(_, element) => {
          props.edit.value = edited(props.edit.value, "title", element.value.replace(/\s*\n\s*/g, " "))
        }}
      />
      <UnseenNote text={valueOf(props.edit.value, "title")} />
      <ConflictNote edit={props.edit} field="title" />
    </div>
  )
})

/** Keeps unsaved text after closing and across a reload. */
export const useDraft = (key: string, edit: Signal<TaskEdit>): void => {
  const app = useServices()
  useBrowserTask$(({ track }) => {
    app.client.drafts.set(key, draftOf(track(() => edit.value)))
  })
  // The last words before it closes come too late for the task above.
  useBrowserTask$(({ cleanup }) => cleanup(() => app.client.drafts.set(key, draftOf(edit.value))))
}
