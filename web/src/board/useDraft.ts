import { type Signal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { draftOf, type TaskEdit } from "../core/board/taskEdit.ts"

/** Keeps what is typed and not saved, over closing and over a reload. */
export const useDraft = (key: string, edit: Signal<TaskEdit>): void => {
  const app = useServices()
  useVisibleTask$(
    ({ track }) => {
      app.console.drafts.set(key, draftOf(track(() => edit.value)))
    },
    { strategy: "document-ready" }
  )
  // The last words before it is closed come too late for the task above.
  useVisibleTask$(({ cleanup }) => cleanup(() => app.console.drafts.set(key, draftOf(edit.value))), {
    strategy: "document-ready"
  })
}
