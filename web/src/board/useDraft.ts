import type { Signal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { draftOf, type TaskEdit } from "../core/board/taskEdit.ts"

/** Keeps unsaved text after closing and across a reload. */
export const useDraft = (key: string, edit: Signal<TaskEdit>): void => {
  const app = useServices()
  useBrowserTask$(({ track }) => {
    app.client.drafts.set(key, draftOf(track(() => edit.value)))
  })
  // The last words before it closes come too late for the task above.
  useBrowserTask$(({ cleanup }) => cleanup(() => app.client.drafts.set(key, draftOf(edit.value))))
}
