import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import type { TrashEntry } from "../../../src/contract/schema/files.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { TimeMark } from "../ui/TimeMark.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"

/** Files deleted in the last 30 days, which can be restored to where they were. */
export const TrashDialog = component$<{ readonly onDone$: QRL<() => void> }>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const tree = useConstant(() => knowledge.tree)
  const entries = useSignal<ReadonlyArray<TrashEntry> | null>(null)
  const problem = useSignal<string | null>(null)
  const opened = useConstant(() => Date.now())

  const load = $(async () => {
    problem.value = null
    const result = await tree.trash()
    if (result.ok) entries.value = result.value
    else problem.value = result.error.message
  })
  useBrowserTask$(() => load())

  const restore = $(async (entry: TrashEntry) => {
    const result = await tree.restore(entry.undo)
    if (!result.ok) {
      app.notices.show("error", say("{path}: {problem}", { path: entry.path, problem: result.error.message }))
      return
    }
    tree.reveal(result.value)
    entries.value = (entries.value ?? []).filter(({ undo }) => undo !== entry.undo)
  })

  return (
    <Dialog title={say("Trash")} onClose$={() => props.onDone$()}>
      {problem.value !== null && (
        <ErrorState title={say("Couldn't load the trash")} text={problem.value} onRetry$={load} />
      )}
      {problem.value === null && entries.value === null && <LoadingState label={say("Loading the trash…")} />}
      {entries.value?.length === 0 && (
        <EmptyState icon="trash" title={say("The trash is empty")} text={say("Deleted files stay here for 30 days.")} />
      )}
      {entries.value !== null && entries.value.length > 0 && (
        <ul class="plain-list trash-list" aria-label={say("Deleted files")}>
          {entries.value.map((entry) => {
            const { deletedAt } = entry
            return (
              <li key={entry.undo}>
                <bdi class="grow break-words">{entry.path}</bdi>
                <TimeMark class="no-shrink soft small" at={deletedAt} text={relativeTime(entry.deletedAt, opened)} />
                <button
                  type="button"
                  class="button is-small"
                  aria-label={say("Restore {path}", { path: entry.path })}
                  onClick$={() => restore(entry)}
                >
                  {say("Restore")}
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </Dialog>
  )
})
