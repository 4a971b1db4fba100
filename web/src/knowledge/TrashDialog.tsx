import { $, component$, type QRL, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import type { TrashEntry } from "../core/knowledge/FileTreeStore.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { relativeTime } from "../core/timeText.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"

/** What was deleted in the last 30 days, to be brought back to where it was. */
export const TrashDialog = component$<{ readonly onDone$: QRL<() => void> }>((props) => {
  const app = useServices()
  const tree = useConstant(() => knowledgeOf(app.console).tree)
  const entries = useSignal<ReadonlyArray<TrashEntry> | null>(null)
  const problem = useSignal<string | null>(null)
  const opened = useConstant(() => Date.now())

  const load = $(async () => {
    problem.value = null
    const result = await tree.trash()
    if (result.ok) entries.value = result.value
    else problem.value = result.error.message
  })
  useVisibleTask$(() => load(), { strategy: "document-ready" })

  const restore = $(async (entry: TrashEntry) => {
    const result = await tree.restore(entry.undo)
    if (!result.ok) {
      app.notices.show("error", `${entry.path}: ${result.error.message}`)
      return
    }
    tree.reveal(result.value)
    entries.value = (entries.value ?? []).filter(({ undo }) => undo !== entry.undo)
  })

  return (
    <Dialog title="Trash" onClose$={() => props.onDone$()}>
      {problem.value !== null && (
        <ErrorState title="The trash could not be read" text={problem.value} onRetry$={load} />
      )}
      {problem.value === null && entries.value === null && <LoadingState label="Reading the trash…" />}
      {entries.value?.length === 0 && (
        <EmptyState icon="trash" title="The trash is empty" text="What is deleted stays here for 30 days." />
      )}
      {entries.value !== null && entries.value.length > 0 && (
        <ul class="plain-list trash-list" aria-label="Deleted files">
          {entries.value.map((entry) => (
            <li key={entry.undo}>
              <span class="trash-path">{entry.path}</span>
              <time class="trash-time" dateTime={new Date(entry.deletedAt).toISOString()}>
                {relativeTime(entry.deletedAt, opened)}
              </time>
              <button
                type="button"
                class="button is-small"
                aria-label={`Restore ${entry.path}`}
                onClick$={() => restore(entry)}
              >
                Restore
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
})
